import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Address } from './Address.tsx'

test('lets an address wrap before the @ and the dots only', () => {
  expect(renderToStaticMarkup(<Address>asha.rao@acme.test</Address>).replace(/<\/?span[^>]*>/g, '')).toBe(
    'asha<wbr/>.rao<wbr/>@acme<wbr/>.test',
  )
})
