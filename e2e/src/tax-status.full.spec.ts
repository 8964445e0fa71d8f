import type { Page } from '@playwright/test'
import { axeProblems } from './axe.ts'
import { DEMO_USERS, expect, test } from './test.ts'

const statusWith = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })

test(
  'an admin requests another tax status with a document, and a superadmin sees its effect and approves it',
  { tag: '@storm' },
  async ({ signedIn, newPageAs }) => {
    const page = await signedIn('admin', '/admin/organisation')
    const section = page.getByRole('region', { name: 'Tax Status' })
    await expect(section.getByText('In India, GST number 29AAACA1234A1ZG')).toBeVisible()
    await section.getByRole('button', { name: 'Request Change' }).click()
    const dialog = page.getByRole('dialog', { name: 'Request a Change of the Tax Status' })
    await dialog.getByLabel('Place').selectOption('sez')
    await dialog.getByLabel('Valid from').fill('2099-04-01')
    await dialog.getByRole('button', { name: 'Send Request' }).click()
    await expect(dialog).toContainText('Enter the reason.')
    await expect(dialog.getByLabel('Reason')).toBeFocused()
    await dialog.getByLabel('Reason').fill('Unit in an SEZ')
    await dialog.getByRole('button', { name: 'Send Request' }).click()
    await expect(dialog.getByRole('alert')).toHaveText('Choose the document that proves the change.')
    await expect(dialog.getByRole('button', { name: 'Document' })).toBeFocused()
    const chooser = page.waitForEvent('filechooser')
    await dialog.getByRole('button', { name: 'Document' }).click()
    await (
      await chooser
    ).setFiles({
      name: 'approval.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.7 approval'),
    })
    await expect(dialog.getByRole('region', { name: 'Effect on the next invoice' })).toContainText(
      'The new status applies to invoices issued from',
    )
    expect(await axeProblems(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Send Request' }).click()
    await expect(statusWith(page, 'Request sent. The supplier decides it.')).toBeVisible()
    await expect(section.getByRole('table', { name: 'Requests' })).toContainText('Waiting for a decision')

    const superadminPage = await newPageAs(DEMO_USERS.superadmin, '/ledger/invoices')
    await superadminPage.getByRole('region', { name: 'Requests to Change the Tax Status' }).getByRole('link').click()
    await superadminPage.getByRole('button', { name: 'Decide' }).click()
    const decision = superadminPage.getByRole('dialog', { name: 'Tax Status of Acme Learning' })
    await expect(decision).toContainText('Unit in an SEZ')
    await decision.getByRole('button', { name: 'Approve' }).click()
    await expect(statusWith(superadminPage, 'Tax status of Acme Learning changes on 2099-04-01.')).toBeVisible()
    await superadminPage.context().close()

    await page.reload()
    await expect(section.getByRole('list', { name: 'Changes' })).toContainText('In a special economic zone (SEZ)')
  },
)

test('says below the letters of undertaking what is wrong with all of them', async ({ signedIn }) => {
  const page = await signedIn('superadmin', '/admin/supplier/e-invoices')
  const section = page.getByRole('region', { name: 'Letters of Undertaking' })
  const save = section.getByRole('button', { name: 'Save Letters of Undertaking' })
  for (const number of ['AD290326000001A', 'AD290326000002B']) {
    await section.getByRole('button', { name: 'Add a Letter' }).click()
    await section.getByLabel('Number (ARN)').last().fill(number)
  }
  await save.click()
  await expect(section.getByRole('alert')).toHaveText('Must name each financial year once.')
  await section.getByLabel('Number (ARN)').last().clear()
  await save.click()
  await expect(section.getByLabel('Number (ARN)').last()).toBeFocused()
  await expect(section.getByRole('alert')).toBeHidden()
})
