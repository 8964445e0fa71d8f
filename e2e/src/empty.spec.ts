import { goOn } from './go-on.ts'
import { expect, menuOf, test } from './test.ts'

test('an empty list says that it is empty', async ({ signedIn }) => {
  const page = await signedIn('superadmin')
  const made = await page.request.post('/api/admin/organization', {
    headers: { origin: new URL(page.url()).origin },
    data: { organization: 'Empty Institute' },
  })
  expect(made.status(), await made.text()).toBe(200)
  await goOn(page, '/createvm?organization=Empty+Institute')
  await expect(page.getByText('No Template Found')).toBeVisible()
  await expect(page.getByLabel('Choose Lab Module').getByRole('option').first()).toHaveText('No Training Found')
  await goOn(page, '/ledger/account?organization=Empty+Institute')
  await expect(page.getByText('No transactions found')).toBeVisible()

  // The portal has no customers and no users.
  await page.route('**/api/admin/organization', (route) => route.fulfill({ json: { organization: [] } }))
  await page.route('**/api/admin/ledger', (route) =>
    route.fulfill({ json: { totalInvoice: 0, totalPayment: 0, totalBalance: 0, ledger: [] } }),
  )
  await page.goto('/ledger')
  await expect(page.getByText('No client data available')).toBeVisible()
  await expect(page.getByLabel('Choose Customer').getByRole('option')).toHaveText(['No customer found'])
})

test('every page of a training asks for one to be selected', async ({ signedIn }) => {
  const page = await signedIn('superadmin')
  await expect(menuOf(page).first()).toBeVisible()
  const links = await Promise.all((await menuOf(page).all()).map((link) => link.getAttribute('href')))
  const pages = links.map((href) => new URL(href!, page.url()).pathname).filter((path) => path.startsWith('/vm/'))
  expect(pages).toContain('/vm/restriction')
  expect(pages.length).toBeGreaterThan(8)
  for (const path of pages.filter((one) => one !== '/vm/restriction')) {
    await goOn(page, path)
    await expect(page, path).toHaveURL(new RegExp(`${path}$`))
    const said = page.getByRole('main').getByText('Please select a training from the sidebar.')
    await expect(said.filter({ visible: true }).first(), path).toBeVisible()
  }
  await goOn(page, '/vm/restriction')
  await expect(page.getByText('Please select a training first.')).toBeVisible()
})
