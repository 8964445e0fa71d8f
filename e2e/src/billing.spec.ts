import { navigate } from './navigate.ts'
import { expect, test } from './test.ts'

test('fills the cost card and the total of the lines from a single response, so that they always agree', async ({
  signedIn,
}) => {
  const page = await signedIn('admin')
  const requests: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/azure/billing')) requests.push(pathname)
  })
  await navigate(page, '/vm/billing?training=Linux+101')
  const cost = page.getByRole('region', { name: 'Usage Cost Estimate' })
  const lines = page.getByRole('region', { name: 'Breakdown' })
  const total = lines.getByRole('paragraph').filter({ hasText: /^Total/ })
  await expect(total).toContainText('₹')
  const rupees = /₹[\d,.]+/
  for (const amount of [cost, total]) await expect(amount).toContainText(rupees)
  const [costText] = rupees.exec(await cost.innerText())!
  const [sum] = rupees.exec(await total.innerText())!
  expect(sum).toBe(costText)
  expect(requests).toEqual(['/api/azure/billing'])
})

test('draws charts in a browser whose system has no language', async ({ signedIn }) => {
  const page = await signedIn('admin')
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'language', { value: 'en-US@posix', configurable: true }),
  )
  await page.goto('/vm/billing?training=Linux+101')
  await expect(
    page.getByRole('figure', { name: 'Spent, planned and budget' }).getByText('Figures as a table'),
  ).toBeVisible()
})
