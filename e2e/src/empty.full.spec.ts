import { navigate } from './navigate.ts'
import { headingsOf } from './screens.ts'
import { expect, test } from './test.ts'

test('shows a text for each empty list', async ({ signedIn }) => {
  const page = await signedIn('superadmin')
  const created = await page.request.post('/api/admin/organization', {
    headers: { origin: new URL(page.url()).origin },
    data: { organization: 'Empty Institute' },
  })
  expect(created.status(), await created.text()).toBe(200)
  await navigate(page, '/createvm?organization=Empty+Institute')
  await expect(page.getByText('No Template Found')).toBeVisible()
  await expect(page.getByLabel('Choose Lab Module').getByRole('option').first()).toHaveText('No Training Found')
  await navigate(page, '/ledger/account?organization=Empty+Institute')
  await expect(page.getByText('No transactions found')).toBeVisible()

  await page.route('**/api/admin/organization', (route) => route.fulfill({ json: { organization: [] } }))
  await page.route('**/api/admin/ledger', (route) =>
    route.fulfill({ json: { totalInvoice: 0, totalPayment: 0, totalBalance: 0, ledger: [] } }),
  )
  await page.goto('/ledger')
  await expect(page.getByText('No client data available')).toBeVisible()
  await expect(page.getByLabel('Choose Customer').getByRole('option')).toHaveText(['No customer found'])
})

test('asks for a training to be selected on every page of a training', async ({ signedIn }) => {
  const page = await signedIn('superadmin')
  const pages = new Map([...(await headingsOf(page))].filter(([path]) => path.startsWith('/vm/')))
  expect(pages.size).toBeGreaterThan(8)
  const main = page.getByRole('main')
  for (const [path, heading] of pages) {
    await navigate(page, path)
    // The previous screen shows the same text and stays until the new one has loaded.
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    const instruction = path === '/vm/restriction' ? 'a training first.' : 'a training from the sidebar.'
    await expect(main.getByText(`Please select ${instruction}`).filter({ visible: true }).first(), path).toBeVisible()
  }
  expect([...pages.keys()]).toContain('/vm/restriction')
})
