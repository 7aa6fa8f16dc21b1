/** Where clients of Prometheus send their queries. */
export const dataSourceUrl = (origin: string): string => `${origin}/api/v1/prometheus`

/** Each answers a common question about all access points that the caller may see. */
export const queries = [
  { label: 'Throughput of each access point', query: 'avg by (ap_id) (throughput_mbps)' },
  { label: 'The ten access points with the highest load', query: 'topk(10, load_pct)' },
  { label: 'Clients of all access points', query: 'sum(clients)' },
] as const
