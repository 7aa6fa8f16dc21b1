export interface Sbom {
  metadata: { component: { name: string } }
  components: { 'bom-ref': string; name: string; properties?: { name: string }[] }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/**
 * The CycloneDX document of `npm sbom` without development dependencies. `npm sbom --omit dev` also omits what a workspace
 * needs in production if the project has it as a development dependency as well (npm 11). npm names the project after its
 * folder.
 */
export function productionSbom(complete: Sbom): Sbom {
  const components = complete.components.filter(
    ({ properties = [] }) => !properties.some(({ name }) => name === 'cdx:npm:package:development'),
  )
  const { component } = complete.metadata
  const refs = new Set([...components.map((each) => each['bom-ref']), complete.dependencies[0]?.ref])
  return {
    ...complete,
    metadata: { ...complete.metadata, component: { ...component, name: 'manc' } },
    components,
    dependencies: complete.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) })),
  }
}
