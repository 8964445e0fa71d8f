import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Offers } from './Offers.tsx'

test('the Google Cloud Sandbox is offered on request, without a promise of what the portal does not do', () => {
  const html = renderToStaticMarkup(<Offers learnMore={() => {}} />)
  const card = /<li><h2>Google Cloud Sandbox<\/h2>.*?<button/.exec(html)![0]
  expect(card).toMatch(/on request/i)
  expect(card).not.toMatch(/budget|end date|deleted|left behind|per learner|enforced|limited by/i)
  expect(html).toContain('about Google Cloud Sandbox</span></button>')
})
