import { expect, test } from 'vitest'
import { parseAst } from 'vite'
import { bodiesIn, withOnlyBodies } from './contract-shapes.ts'

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

test('finds the bodies of forms over lines and by another name', () => {
  const code = `import { price as priceCalls } from './price.ts'
const shape = priceCalls.set.body.extend({})
const other = note
  .add
  .body
const { password: _, ...body } = form.getTransformedValues()`
  expect(bodiesIn(code, 'Note.tsx')).toEqual(['price.set', 'note.add'])
})

test.each([
  'const { body } = note.add',
  'const {\n  body: shape,\n} = note.add\n',
  "note.add['body']",
  'shape: added.body',
])('refuses %j, whose body the bundle would leave out', (code) => {
  expect(() => bodiesIn(code, 'Note.tsx')).toThrow('Write group.call.body')
})
