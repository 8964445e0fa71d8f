import type { Page } from '@playwright/test'
import { openDialog, SIZES, takePicture } from './picture.ts'
import { DEMO_USERS, expect, signIn, test } from './test.ts'
import { inKolkata, setWindow } from './training.ts'

const LINUX = '?training=Linux+101'

/** Dialogs and states that visiting the screens does not show. */
for (const [size, colorScheme] of [
  ['wide', 'light'],
  ['phone', 'dark'],
] as const) {
  test.describe(`${size}, ${colorScheme}`, () => {
    test.use({ viewport: SIZES[size], colorScheme })
    const picture = (page: Page, name: string) => takePicture(page, `${name}.${size}.${colorScheme}`)

    test('captures states of a learner', async ({ signedIn, browser, portal }) => {
      const admin = await signedIn('admin')
      const context = await browser.newContext({ baseURL: portal.url })
      const page = await context.newPage()
      await signIn(page, DEMO_USERS.user)
      await page.goto('/vm/vmdetails')
      await expect(page.getByRole('list', { name: 'Lab modules' })).toBeVisible()
      await picture(page, 'select-a-training')
      const { time } = inKolkata(new Date(portal.now().getTime() + 5 * 3_600_000))
      await setWindow(admin, 'Linux 101', [`${time.slice(0, 2)}:00`, `${time.slice(0, 2)}:59`])
      await page.goto(`/vm/vmdetails${LINUX}`)
      await expect(page.getByRole('heading', { name: 'Closed', exact: true })).toBeVisible()
      await picture(page, 'closed-just-now')
      await setWindow(admin, 'Linux 101', null)
      await context.close()
    })

    test('captures states of an admin', async ({ signedIn }) => {
      const page = await signedIn('admin')
      await page.goto(`/vm/scheduler${LINUX}`)
      await page.getByRole('button', { name: 'New Scheduled Event' }).click()
      await expect(page.getByRole('button', { name: 'Schedule All' })).toBeVisible()
      await picture(page, 'new-scheduled-event')
      await openDialog(page, '/ledger/account', 'Make a Payment')
      await picture(page, 'make-a-payment')
      await page.goto('/')
      await expect(page.getByRole('table', { name: 'Trainings' })).toBeVisible()
      await page.keyboard.press('Control+k')
      await page.getByLabel('Screen, lab module, instance or action').fill('linux')
      await expect(page.getByRole('option', { name: /^linux-10-/ }).first()).toBeVisible()
      await picture(page, 'go-to')
    })

    test('captures Account Security', async ({ signedIn }) => {
      const page = await signedIn('admin')
      await page.goto('/account')
      await expect(page.getByRole('table', { name: 'Sessions' })).toBeVisible()
      await picture(page, 'account-security')
    })

    test('captures the test of a sign-in with a provider', async ({ page, portal }) => {
      await signIn(page, DEMO_USERS.superadmin)
      await page.goto('/admin/organisation?organization=Initech+Learning')
      const section = page.getByRole('region', { name: 'Sign-in With Your Provider' })
      await section.getByRole('button', { name: 'Test Sign-in' }).click()
      await expect(section.getByRole('button', { name: 'Try to Sign In' })).toBeVisible()
      await section.scrollIntoViewIfNeeded()
      await picture(page, 'sign-in-with-your-provider')
      await page.goto(`${portal.url}/sign-in#learner@initech.test`)
      await expect(page.getByRole('heading', { name: 'Choose who signs in' })).toBeVisible()
      await picture(page, 'choose-who-signs-in')
    })

    test('captures states of a superadmin', async ({ signedIn }) => {
      const page = await signedIn('superadmin')
      await openDialog(page, '/overview', 'Create User')
      await picture(page, 'create-user')
      await openDialog(page, '/overview', 'Create VM Card')
      await picture(page, 'create-vm-card')
      await openDialog(page, '/overview', 'Edit Ubuntu 24.04 Starter', 'Edit VM Card')
      await expect(page.getByLabel('Rate (rupees an hour)')).toBeVisible()
      await picture(page, 'edit-vm-card')
      await openDialog(page, '/overview', 'Edit learner@acme.test')
      await picture(page, 'edit-user')
      await openDialog(page, '/sandbox/azure/users', 'Renew priya.nair@labs.test')
      await picture(page, 'renew-lab-user')
      await openDialog(page, '/ledger', 'Add Invoice')
      await picture(page, 'add-invoice')
      // Save the current value again, so that the other screenshots do not change.
      await page.request.patch('/api/admin/organization/security', {
        data: { organization: 'Acme Learning', idleMinutes: null },
        headers: { 'sec-fetch-site': 'same-origin' },
      })
      await page.goto('/admin/audit?call=organisation.changeSecurity')
      await page.getByRole('table', { name: 'Audit rows' }).getByRole('button').first().click()
      await expect(page.getByRole('dialog', { name: 'Audit row' })).toBeVisible()
      await picture(page, 'audit-row')
      await openDialog(
        page,
        '/vm/deletetraining?organization=Acme+Learning&training=Linux+101',
        'Delete Training',
        'Remove Linux 101',
      )
      await picture(page, 'remove-a-course')
    })
  })
}

test.describe('on paper', () => {
  test.use({ viewport: { width: 794, height: 1123 } })
  test('captures the bill', async ({ signedIn }) => {
    const page = await signedIn('admin')
    await page.goto(`/vm/billing${LINUX}`)
    await expect(page.getByRole('table', { name: 'Lines of the bill' })).toBeVisible()
    await expect(page.getByRole('figure', { name: 'Spent, planned and budget' })).toBeVisible()
    await page.emulateMedia({ media: 'print' })
    await page.addStyleTag({ content: '@media print { body { padding: 15mm } }' })
    await takePicture(page, 'bill-on-paper')
  })
})
