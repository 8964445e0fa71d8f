import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Address } from './Address.tsx'

const markupOf = (text: string) => renderToStaticMarkup(<Address>{text}</Address>).replace(/<\/?span[^>]*>/g, '')

test('lets an address wrap before the @ and the dots only', () => {
  expect(markupOf('asha.rao@acme.test')).toBe('asha<wbr/>.rao<wbr/>@acme<wbr/>.test')
})

test('does not split a name', () => {
  expect(markupOf('Dr. A.P. Rao')).toBe('Dr. A.P. Rao')
})
