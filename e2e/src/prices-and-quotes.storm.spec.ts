import type { Locator, Page } from '@playwright/test'
import { expectNoAxeProblems } from './expect-no-axe-problems.ts'
import { takePicture } from './picture.ts'
import { expect, test } from './test.ts'

const APPEARANCES = [
  [1440, 'light'],
  [1440, 'dark'],
  [390, 'light'],
  [390, 'dark'],
] as const

const statusWith = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })

/** Saves screenshots of the present state at both sizes in both colour schemes. */
async function takePictures(page: Page, name: string, of?: Locator): Promise<void> {
  for (const [width, colorScheme] of APPEARANCES) {
    await page.setViewportSize({ width: width === 1440 ? 1366 : width, height: 844 })
    await page.emulateMedia({ colorScheme })
    await of?.scrollIntoViewIfNeeded()
    await takePicture(page, `${name}.${width === 390 ? 'phone' : 'wide'}.${colorScheme}`)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
}

test('a superadmin sets prices of a customer, and its admin sees them', async ({ signedIn, newPageAs }) => {
  const page = await newPageAs('superadmin@demo.test', '/admin/organisation?organization=Acme+Learning')
  const section = page.getByRole('region', { name: 'Prices', exact: true })
  await expect(section).toContainText('The general prices apply.')
  const setPrice = async (rate: string, from: string) => {
    await section.getByRole('button', { name: 'Set a Price' }).click()
    const dialog = page.getByRole('dialog', { name: 'Price of Acme Learning' })
    await dialog.getByLabel('Name').selectOption('Ubuntu 24.04 Starter')
    await dialog.getByRole('button', { name: 'Set Price' }).click()
    await expect(dialog).toContainText('Enter rupees')
    await dialog.getByLabel('Price per Hour').fill(rate)
    await dialog.getByLabel('From').fill(from)
    await takePictures(page, `set-price-${rate}`)
    await expectNoAxeProblems(page, APPEARANCES)
    await dialog.getByRole('button', { name: 'Set Price' }).click()
    await expect(dialog).toBeHidden()
  }
  await setPrice('7.25', '2099-04-01')
  await setPrice('6.5', '2099-10-01')
  const table = section.getByRole('table', { name: 'Prices', exact: true })
  await expect(table).toContainText('₹7.25')
  await takePictures(page, 'prices', section)
  await expectNoAxeProblems(page, APPEARANCES)

  const admin = await signedIn('admin', '/createvm')
  await expect(admin.getByText('₹7.25 from 01/04/2099')).toBeVisible()
  await takePictures(admin, 'prices-createvm')
  await admin.goto('/admin/organisation')
  await expect(admin.getByRole('region', { name: 'Prices', exact: true }).getByRole('table')).toContainText('₹6.50')
  await expectNoAxeProblems(admin, APPEARANCES)

  for (const from of ['01/10/2099', '01/04/2099']) {
    await section.getByRole('button', { name: `Remove the price of Ubuntu 24.04 Starter from ${from}` }).click()
    await expect(statusWith(page, 'is removed.').last()).toBeVisible()
  }
  await expect(section).toContainText('The general prices apply.')
  await page.context().close()
})
