import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { DateField } from './DateField.tsx'

const markupOf = (field: Parameters<typeof DateField>[0]) =>
  renderToStaticMarkup(
    <MantineProvider>
      <DateField id="day" label="From" readOnly {...field} />
    </MantineProvider>,
  )

test('describes the field by its hint and its day', () => {
  const markup = markupOf({ value: '2026-12-31', description: 'In India.' })
  expect(markup).toContain('aria-describedby="day-description"')
  expect(markup).toMatch(/id="day-description"[^>]*>In India\. 31\/12\/2026</)
})

test('has no empty description', () => {
  const markup = markupOf({ value: '' })
  expect(markup).not.toContain('aria-describedby')
  expect(markup).not.toContain('day-description')
})
