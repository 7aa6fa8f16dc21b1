/** All names of a new list operation, for example of `listSites` at `/api/v1/sites` in the module `sites`. */
export interface Names {
  /** `listSites` */
  operation: string
  /** `/api/v1/sites` */
  path: string
  /** Folder, contract file, SDK resource and CLI command: `sites` */
  module: string
  /** `Sites` */
  plural: string
  /** Schema and row: `Site` */
  item: string
  /** In sentences: `sites` */
  phrase: string
}

export function namesOf(given: {
  operation: string
  path: string | undefined
  module: string | undefined
}): Names {
  const [, plural] = /^list([A-Z][A-Za-z]*s)$/.exec(given.operation) ?? []
  if (!plural)
    throw new Error(
      `${given.operation} is not the name of a list operation. Use list and a plural noun, for example listSites. ` +
        'For other operations copy the closest existing one.',
    )
  if (!given.path || !/^\/api\/v1\/[a-z][a-z_/]*$/.test(given.path))
    throw new Error('Add --path with a path below /api/v1 and without parameters, for example /api/v1/sites.')
  if (!given.module || !/^[a-z]+$/.test(given.module))
    throw new Error('Add --module with the name of the new module in lower case, for example sites.')
  return {
    operation: given.operation,
    path: given.path,
    module: given.module,
    plural,
    item: singular(plural),
    phrase: plural.replaceAll(/(?<=[a-z])([A-Z])/g, ' $1').toLowerCase(),
  }
}

function singular(plural: string): string {
  if (plural.endsWith('ies')) return `${plural.slice(0, -3)}y`
  return /(ss|sh|ch|x)es$/.test(plural) ? plural.slice(0, -2) : plural.slice(0, -1)
}
