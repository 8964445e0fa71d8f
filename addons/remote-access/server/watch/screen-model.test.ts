import { expect, test } from 'vitest'
import { loadScreenModels } from './screen-model.ts'

test.each(['👍', '🧪', '你'])('counts %s as two columns, as shells do', async (wide) => {
  const makeScreenModel = await loadScreenModels()
  const model = makeScreenModel({ columns: 10, rows: 2 })
  model.printed(Buffer.from(`${wide}\x1b[1;3Hx`))
  const { promise, resolve } = Promise.withResolvers<string>()
  model.snapshot(({ text }) => resolve(text))
  expect(await promise).toContain(`${wide}x`)
  model.close()
})
