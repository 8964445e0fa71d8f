import { expect, test } from 'vitest'
import { parseAst } from 'vite'
import { withOnlyBodies } from './contract-shapes.ts'

test('leaves the bodies that forms validate, and shapes that the bundler may drop', () => {
  const code = `import { z } from 'zod'
const row = z.object({ id: z.string() })
export const isId = (text) => text !== ''
export const note = {
  list: call({ route: 'GET /notes', reply: z.object({ rows: z.array(row) }) }),
  remove: call({ route: 'DELETE /notes', body: z.object({ id: z.string() }) }),
  add: call({ route: 'POST /notes', does: 'Adds a note.', body: z.object({ text: z.string().min(1) }) }),
}`
  expect(withOnlyBodies(code, parseAst(code), new Set(['note.list', 'note.add']))).toBe(`import { z } from 'zod'
const row = /* @__PURE__ */ (() => (z.object({ id: z.string() })))()
export const isId = (text) => text !== ''
export const note = { add: { body: z.object({ text: z.string().min(1) }) } }`)
})
