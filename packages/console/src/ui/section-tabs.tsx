import './section-tabs.css'
import { Group } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'

interface SectionTabsProps {
  label: string
  sections: readonly { to: NonNullable<LinkProps['to']>; label: string; isExact?: boolean }[]
}

/** Links between the pages of one section. */
export function SectionTabs({ label, sections }: SectionTabsProps) {
  return (
    <Group component="nav" gap={4} aria-label={label} className="section-tabs">
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
