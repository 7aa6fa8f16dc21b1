import { Anchor, Code, Modal, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Failure, Loading } from '../ui/states.tsx'
import { type Guide, guideOf, guides, readGuide } from './guides.ts'

/** The guides of this version, each in a dialog with an address of its own. */
export function GuidesCard() {
  const { guide: id } = useSearch({ from: '/inside/developers' })
  const navigate = useNavigate()
  const open = guideOf(id)
  return (
    <Paper withBorder p="lg">
      <Stack gap="md">
        <Title order={2} size="h5">
          Guides
        </Title>
        <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {guides.map((guide) => (
            <li key={guide.id}>
              <Anchor
                size="sm"
                fw={500}
                renderRoot={(props) => (
                  <Link to="/developers" search={{ guide: guide.id }} resetScroll={false} {...props} />
                )}
              >
                {guide.title}
              </Anchor>
              <Text size="sm" c="dimmed">
                {guide.about}
              </Text>
            </li>
          ))}
        </Stack>
      </Stack>
      <Modal
        opened={open !== undefined}
        onClose={() => void navigate({ to: '/developers', resetScroll: false })}
        title={open && `${open.title} (${open.path})`}
        size="xl"
      >
        {open && <GuideText guide={open} />}
      </Modal>
    </Paper>
  )
}

function GuideText({ guide }: { guide: Guide }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['guide', guide.id],
    queryFn: () => readGuide(guide),
    staleTime: Infinity,
    meta: { isLocal: true },
  })
  if (data !== undefined)
    return (
      <Code block tabIndex={0} aria-label={guide.title} style={{ whiteSpace: 'pre-wrap' }}>
        {data}
      </Code>
    )
  return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading what="guide" />
}
