import path from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'

const root = path.join(import.meta.dirname, '../../..')

/** Follows everything that a caller can reach from what is exported, and notes where it is `any`. */
function anysIn(file: string): string[] {
  const read = ts.readConfigFile(path.join(root, 'tsconfig.json'), (name) => ts.sys.readFile(name))
  const { options } = ts.parseJsonConfigFileContent(read.config, ts.sys, root)
  const program = ts.createProgram([path.join(root, file)], options)
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(path.join(root, file))
  const module = source && checker.getSymbolAtLocation(source)
  if (!source || !module) throw new Error(`${file} exports nothing`)
  const found: string[] = []
  const seen = new Set<ts.Type>()

  function look(type: ts.Type, where: string): void {
    if (type.flags & ts.TypeFlags.Any) found.push(where)
    if (seen.has(type)) return
    seen.add(type)
    if (type.isUnionOrIntersection()) for (const each of type.types) look(each, where)
    for (const argument of checker.getTypeArguments(type as ts.TypeReference)) look(argument, `${where}<>`)
    for (const signature of [...type.getCallSignatures(), ...type.getConstructSignatures()]) {
      for (const parameter of signature.parameters)
        look(checker.getTypeOfSymbol(parameter), `${where}(${parameter.name})`)
      look(signature.getReturnType(), `${where}()`)
    }
    for (const property of type.getProperties()) {
      // What the language and the platform bring is not ours.
      const isOurs = property.declarations?.some((each) =>
        each.getSourceFile().fileName.includes('/packages/'),
      )
      if (isOurs) look(checker.getTypeOfSymbol(property), `${where}.${property.name}`)
    }
  }

  for (const symbol of checker.getExportsOfModule(module)) {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    // A name may stand for a type, a value, or both; those of `export type` are types alone.
    const isType = target.flags & (ts.SymbolFlags.Type | ts.SymbolFlags.TypeAlias)
    const isValue = target.flags & ts.SymbolFlags.Value && !isTypeOnly(symbol)
    if (isType) look(checker.getDeclaredTypeOfSymbol(target), symbol.name)
    if (isValue) look(checker.getTypeOfSymbol(target), symbol.name)
  }
  expect(seen.size).toBeGreaterThan(20)
  return found
}

const isTypeOnly = (symbol: ts.Symbol): boolean =>
  symbol.declarations?.some((each) => ts.isTypeOnlyExportDeclaration(each)) ?? false

it.each(['packages/sdk/src/index.ts', 'packages/sdk/src/agent/index.ts'])(
  '%s has no `any`',
  (file) => {
    expect(anysIn(file)).toEqual([])
  },
  60_000,
)
