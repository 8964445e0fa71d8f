import { parseSync, Visitor } from 'vite'

/** A function's body in a source text. Offsets are UTF-16. */
interface Body {
  readonly start: number
  readonly end: number
  /** False: an arrow's expression. */
  readonly block: boolean
}

/** Stands for code outside every function, which runs when the file is loaded. */
const LOADED = -1

function bodiesIn(file: string, source: string): Body[] {
  const bodies: Body[] = []
  const add = (body: { start: number; end: number; type: string } | null) => {
    if (body !== null) bodies.push({ start: body.start, end: body.end, block: body.type === 'BlockStatement' })
  }
  new Visitor({
    FunctionDeclaration: ({ body }) => add(body),
    FunctionExpression: ({ body }) => add(body),
    ArrowFunctionExpression: ({ body }) => add(body),
  }).visit(parseSync(file, source).program)
  return bodies.toSorted((a, b) => a.start - b.start || b.end - a.end)
}

/** Returns the name of the innermost function around an offset: `file#number`. */
export function functionAt(file: string, source: string, offset: number): string {
  const at = bodiesIn(file, source).findLastIndex(({ start, end }) => start <= offset && offset < end)
  return `${file}#${at === -1 ? LOADED : at}`
}

/** Returns the source with a call of `reached` in every function, which `recorder` (an absolute path) exports. */
export function telling(file: string, source: string, recorder: string): string {
  const put: { at: number; text: string }[] = []
  const call = (index: number) => `__reached(${JSON.stringify(`${file}#${index}`)})`
  for (const [index, { start, end, block }] of bodiesIn(file, source).entries()) {
    if (block) put.push({ at: start + 1, text: `${call(index)};` })
    else put.push({ at: start, text: `(${call(index)}, ` }, { at: end, text: ')' })
  }
  let told = source
  for (const { at, text } of put.toSorted((a, b) => b.at - a.at)) told = told.slice(0, at) + text + told.slice(at)
  return `import { reached as __reached } from ${JSON.stringify(recorder)};${told}\n;${call(LOADED)};\n`
}

/** The file that the recorder writes to: a name on each line. It stands beside the recorder. */
export const REACHED = 'reached.txt'

/** The module that notes each function once a process, in child processes too. */
export const RECORDER = `import { appendFileSync } from 'node:fs'
const told = new Set()
export function reached(name) {
  if (told.has(name)) return
  told.add(name)
  appendFileSync(new URL('${REACHED}', import.meta.url), name + '\\n')
}
`
