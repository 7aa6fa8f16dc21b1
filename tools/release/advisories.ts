/** An advisory that `npm audit --json` reports for a package of the lockfile. */
export interface Advisory {
  package: string
  severity: string
  url: string
}

interface AuditReport {
  /** Only of an error: the registry does not answer such requests. */
  statusCode?: number
  message?: string
  /** By package; `via` has advisories, and names of packages that have one. */
  vulnerabilities?: Record<string, { via: (string | { name: string; severity: string; url: string })[] }>
}

/** Each once. Undefined if the registry gives no result. */
export function advisoriesOf(report: AuditReport): Advisory[] | undefined {
  if (!report.vulnerabilities) return undefined
  const all = Object.values(report.vulnerabilities).flatMap(({ via }) =>
    via.flatMap((each) =>
      typeof each === 'string' ? [] : [{ package: each.name, severity: each.severity, url: each.url }],
    ),
  )
  return [...new Map(all.map((advisory) => [advisory.url, advisory])).values()]
}

/** Those that the document does not assess: it has no row with their address. */
export const notAssessed = (advisories: readonly Advisory[], document: string): Advisory[] =>
  advisories.filter(({ url }) => !document.includes(url))
