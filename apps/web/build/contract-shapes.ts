import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ESTree, Plugin } from 'vite'

type Expression = NonNullable<ESTree.VariableDeclarator['init']>

/**
 * Leaves of the calls only the bodies that forms validate, and lets the bundler drop shapes that no form needs. Replies,
 * descriptions and other bodies would triple the code of the contract.
 */
export function contractShapes(root: string): Plugin {
  const names = callsOfForms(root)
  return {
    name: 'contract-shapes',
    apply: 'build',
    transform: {
      filter: { id: /\/contract(?:\/[\w-]+)?\.ts$/, code: /from ["']zod["']/ },
      handler(code) {
        return withOnlyBodies(code, this.parse(code), names)
      },
    },
  }
}

const callsOfForms = (root: string): ReadonlySet<string> =>
  new Set(
    globSync('{core/*,addons/*,platform}/web/**/*.{ts,tsx}', { cwd: root, exclude: ['**/*.test.*'] }).flatMap((file) =>
      bodiesIn(readFileSync(join(root, file), 'utf8'), file),
    ),
  )

/** Such as `const { body } = note.add`, `note.add['body']` or `shape: added.body`. */
const OTHER_FORM =
  /\{[^{}=;]*\bbody\b[^{};]*\}\s*=\s*\w+\s*\.\s*\w+\b(?!\s*[.(])|\['body'\]|\bshape[:=]\s*\{?\w+\.body\b/

/**
 * Returns the calls whose bodies a file of the web app mentions, such as `invoice.register`. Throws if the file takes a
 * body in a form that this text search does not find: the bundle would leave the body out.
 */
export function bodiesIn(code: string, file: string): string[] {
  const taken = OTHER_FORM.exec(code)
  if (taken !== null) throw new Error(`Write group.call.body in place of ${taken[0]} in ${file}.`)
  const groups = new Map([...code.matchAll(/\b(\w+) as (\w+)/g)].map(([, group, alias]) => [alias!, group!]))
  return [...code.matchAll(/\b(\w+)\s*\.\s*(\w+)\s*\.\s*body\b/g)].map(
    ([, group, call]) => `${groups.get(group!) ?? group!}.${call!}`,
  )
}

/** @param names calls whose bodies stay */
export const withOnlyBodies = (code: string, { body }: ESTree.Program, names: ReadonlySet<string>): string =>
  body
    .flatMap((statement) => {
      const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
      return declared?.type === 'VariableDeclaration' ? declared.declarations : []
    })
    .reduceRight((to, { id, init }) => {
      if (init === null || init.type === 'ArrowFunctionExpression' || id.type !== 'Identifier') return to
      const isUsed = (call: string) => names.has(`${id.name}.${call}`)
      return to.slice(0, init.start) + shortened(init, code, isUsed) + to.slice(init.end)
    }, code)

function shortened(init: Expression, code: string, isUsed: (call: string) => boolean): string {
  const textOf = ({ start, end }: { readonly start: number; readonly end: number }) => code.slice(start, end)
  const calls = init.type === 'ObjectExpression' ? init.properties.flatMap(callIn) : []
  if (calls.length === 0) return `/* @__PURE__ */ (() => (${textOf(init)}))()`
  const bodies = calls.flatMap(({ name, fields }) => {
    const body = fields.find((field) => nameOf(field) === 'body')
    return body === undefined || !isUsed(name) ? [] : [`${name}: { ${textOf(body)} }`]
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
