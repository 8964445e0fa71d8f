import { goOn } from './go-on.ts'
import { expect, test } from './test.ts'

test('one answer fills the cost of the card and the total of its lines, so that they never differ', async ({
  signedIn,
}) => {
  const page = await signedIn('admin')
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/azure/billing')) asked.push(pathname)
  })
  await goOn(page, '/vm/billing?training=Linux+101')
  const cost = page.getByRole('region', { name: 'Usage Cost Estimate' })
  const lines = page.getByRole('region', { name: 'What the amount is made of' })
  const total = lines.getByRole('paragraph').filter({ hasText: /^Total/ })
  await expect(total).toContainText('₹')
  const rupees = /₹[\d,.]+/
  for (const shown of [cost, total]) await expect(shown).toContainText(rupees)
  const [of] = rupees.exec(await cost.innerText())!
  const [sum] = rupees.exec(await total.innerText())!
  expect(sum).toBe(of)
  expect(asked).toEqual(['/api/azure/billing'])
})

test('charts are drawn in a browser whose system has no language', async ({ signedIn }) => {
  const page = await signedIn('admin')
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'language', { value: 'en-US@posix', configurable: true }),
  )
  await page.goto('/vm/billing?training=Linux+101')
  await expect(page.getByRole('figure', { name: 'Cost per day' }).getByText('Figures as a table')).toBeVisible()
})
