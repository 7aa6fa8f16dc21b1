import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import '@mantine/spotlight/styles.css'
import './frame/frame.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queries } from './frame/queries.ts'
import { router } from './frame/router.tsx'
import { SessionProvider, useSession } from './frame/session.tsx'
import { theme } from './frame/theme.ts'

function Console() {
  const session = useSession()
  return <RouterProvider router={router} context={{ session }} />
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <Notifications position="bottom-right" />
      <QueryClientProvider client={queries}>
        <SessionProvider>
          <Console />
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
