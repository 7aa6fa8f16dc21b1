import './section-tabs.css'
import { Group } from '@mantine/core'
import { Link, type LinkProps, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

interface SectionTabsProps {
  label: string
  sections: readonly { to: NonNullable<LinkProps['to']>; label: string; isExact?: boolean }[]
}

/** Links between the pages of one section. */
export function SectionTabs({ label, sections }: SectionTabsProps) {
  const tabs = useRef<HTMLDivElement>(null)
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  // On a phone they are wider than the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is selected when the path changes
  useEffect(() => {
    tabs.current
      ?.querySelector('[data-status="active"]')
      ?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [pathname])
  return (
    <Group ref={tabs} component="nav" gap={4} aria-label={label} className="section-tabs">
      {sections.map((section) => (
        <Link
          key={section.to}
          to={section.to}
          className="section-tab"
          activeOptions={{ exact: section.isExact ?? false, includeSearch: false }}
        >
          {section.label}
        </Link>
      ))}
    </Group>
  )
}
