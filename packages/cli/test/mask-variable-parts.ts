/** Parts of the output that differ between runs, and their replacements. */
const masks: [RegExp, string][] = [
  [/\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)/g, 'TIME'],
  [/\b\d\d:\d\d:\d\d\b/g, 'TIME'],
  [/\bemu-(5g|wifi|lifi)-[\da-f]{8}-/g, 'emu-$1-xxxxxxxx-'],
  [/\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g, 'UUID'],
  [/"id":( ?)"[\da-z]+-[\da-z]+-[\da-z]+"/g, '"id":$1"EVENT"'],
  [/^[\w-]{24}$/gm, 'SECRET'],
  [/\benrol_[\w-]+/g, 'SECRET'],
  [/"(password|api_key)": ?"[^"]*"/g, '"$1": "SECRET"'],
  [/(API key +)\S+$/gm, '$1SECRET'],
  [/\b(\d+[smhd]){1,2} ago\b/g, 'a while ago'],
  [/\b(after|than) \d+(\.\d+)? (ms|s)\b/g, '$1 N $3'],
  // A command that ends quickly is not shown in every state.
  [/(^ *\d+\.\d s {2}(sent|delivered)\n)+/gm, '  N s  sent …\n'],
  [/^\{.*"state":"delivered".*\n/gm, ''],
  [/"(last_seq|read_seq)": \d+/g, '"$1": N'],
  [/"(steered_away|steered_here)":( ?)\d+/g, '"$1":$2N'],
  [/^ *\d+\.\d s {2}/gm, '  N s  '],
  [/\b(for|for another|ends in|expires in) +(\d+[smhd]){1,2}(?=[."]|$)/gm, '$1 A WHILE'],
  [/"(expires_in|live_after_s)": [\d.]+/g, '"$1": N'],
  [/\b\d+ samples?\.$/gm, 'N samples.'],
  [/\bport \d+/g, 'port N'],
  // Figures of the capacity model, which change with each measurement of its coefficients.
  [/^(rabbitmq|victoria|postgres|etcd|ingester|api|subscriber)( +[\d.]+){4}$/gm, '$1  N  N  N  N'],
  [/"(nodes|cores|memory_gib|disk_gib|largest_measured_messages_per_s)": [\d.]+/g, '"$1": N'],
  [/\b[\d.]+ (cores|GiB of (?:memory|disk))\b/g, 'N $1'],
  [/\bMore than [\d,]+ messages/g, 'More than N messages'],
  // A bar, a sparkline, the line of a chart.
  [/^.*[█░]{8,}.*\n/gm, ''],
  [/[▁▂▃▄▅▆▇█]+/g, '▁'],
  [/[\u2800-\u28FF]/g, ''],
  [/─+/g, '─'],
  // Columns are as wide as their content, and longer content is cut off.
  [/\bbad\b[^\n"]*…$/gm, 'bad  …'],
  [/\S*…$/gm, '…'],
  [/(?<=\S) {2,}/g, '  '],
  [/^ +(?=[│└]|-?[\d.]+ ┤|TIME)/gm, '  '],
  [/ +$/gm, ''],
  [/\n{3,}/g, '\n\n'],
]

/** Replaces what differs between runs, so that the rest can be compared. */
export const maskVariableParts = (text: string): string =>
  masks.reduce((masked, [pattern, replacement]) => masked.replaceAll(pattern, replacement), text)
