import type { ESTree, Plugin } from 'vite'

type Expression = NonNullable<ESTree.VariableDeclarator['init']>

/**
 * Leaves of the calls only their bodies, which forms validate, and lets the bundler drop shapes that no form needs.
 * Replies and descriptions would double the code of the contract.
 */
export function contractShapes(): Plugin {
  return {
    name: 'contract-shapes',
    apply: 'build',
    transform: {
      filter: { id: /\/contract(?:\/[\w-]+)?\.ts$/, code: /from ["']zod["']/ },
      handler(code) {
        return withOnlyBodies(code, this.parse(code))
      },
    },
  }
}

export const withOnlyBodies = (code: string, { body }: ESTree.Program): string =>
  body
    .flatMap((statement) => {
      const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
      return declared?.type === 'VariableDeclaration' ? declared.declarations.map(({ init }) => init) : []
    })
    .filter((init) => init !== null && init.type !== 'ArrowFunctionExpression')
    .reduceRight((to, init) => to.slice(0, init.start) + shortened(init, code) + to.slice(init.end), code)

function shortened(init: Expression, code: string): string {
  const textOf = ({ start, end }: { readonly start: number; readonly end: number }) => code.slice(start, end)
  const calls = init.type === 'ObjectExpression' ? init.properties.flatMap(callIn) : []
  if (calls.length === 0) return `/* @__PURE__ */ (() => (${textOf(init)}))()`
  const bodies = calls.flatMap(({ name, fields }) => {
    const body = fields.find((field) => nameOf(field) === 'body')
    return body === undefined ? [] : [`${name}: { ${textOf(body)} }`]
  })
  return `{ ${bodies.join(', ')} }`
}

/** Returns the name and the fields of a property such as `list: call({ ... })`. */
function callIn(property: ESTree.ObjectPropertyKind): { name: string; fields: ESTree.ObjectPropertyKind[] }[] {
  const name = nameOf(property)
  if (name === null || property.type !== 'Property' || property.value.type !== 'CallExpression') return []
  const { callee, arguments: given } = property.value
  const [declared] = given
  const isCall = callee.type === 'Identifier' && callee.name === 'call' && declared?.type === 'ObjectExpression'
  return isCall ? [{ name, fields: declared.properties }] : []
}

const nameOf = (property: ESTree.ObjectPropertyKind): string | null =>
  property.type === 'Property' && property.key.type === 'Identifier' ? property.key.name : null
