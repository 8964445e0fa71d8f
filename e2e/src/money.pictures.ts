import { addRate, monthToInvoice, saveSection, SUPPLIER } from './invoicing.ts'
import { SIZES, takePicture } from './picture.ts'
import { expect, test } from './test.ts'

test('captures supplier settings, invoices and a statement', async ({ signedIn, portal }) => {
  const month = await monthToInvoice(portal)
  const page = await signedIn('superadmin', '/admin/supplier')
  const picture = async (name: string) => {
    for (const [size, colorScheme] of [
      ['wide', 'light'],
      ['phone', 'dark'],
    ] as const) {
      await page.setViewportSize(SIZES[size])
      await page.emulateMedia({ colorScheme })
      await takePicture(page, `${name}.${size}.${colorScheme}`)
    }
    await page.setViewportSize(SIZES.wide)
  }
  await saveSection(page, 'Supplier', SUPPLIER)
  await addRate(page)
  await saveSection(page, 'Monthly Run', { 'First Month to Invoice': month })
  await picture('supplier-settings')
  await page.goto('/admin/organisation?organization=Globex+Academy')
  await saveSection(page, 'Billing', { Address: '4 Church Road', City: 'Pune', 'PIN Code': '411001', State: '27' })

  await page.goto('/ledger/invoices')
  await page.getByRole('button', { name: 'Preview of Globex Academy' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Issue Invoice' }).click()
  const issued = page.getByRole('table', { name: 'Issued documents' }).getByRole('link').first()
  await expect(issued).toBeVisible()
  await picture('invoices')
  await issued.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Invoice')
  await picture('invoice')
  await page.goto('/ledger/account?organization=Globex+Academy')
  await expect(page.getByRole('table', { name: 'Invoices', exact: true })).toBeVisible()
  await picture('account-of-a-customer')
  await page.goto('/ledger/statement?organization=Globex+Academy')
  await expect(page.getByRole('table').first()).toBeVisible()
  await picture('statement')
})
