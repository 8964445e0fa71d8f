import type { Locator, Page } from '@playwright/test'
import { axeProblems } from './axe.ts'
import { navigate } from './navigate.ts'
import { waitForPaint } from './screens.ts'
import { expect, test } from './test.ts'

const QUERY = '?organization=Acme+Learning&training=Containers+Workshop'

/** Buttons that open dialogs, by screen. Each kind of dialog is listed once. */
const OPENERS: readonly (readonly [screen: string, ...buttons: (string | RegExp)[]])[] = [
  [
    '/overview',
    'Create Organization',
    'Create User',
    'Create VM Card',
    'Assign VM Card',
    'Delete Globex Academy',
    'Request a reset',
  ],
  ['/overview', /^Edit \S+@\S+$/, 'Edit Ubuntu 24.04 Starter'],
  ['/admin/networks', 'Create Network'],
  [`/vm/class${QUERY}`, 'Announce'],
  [`/vm/ports${QUERY}`, 'Open Port', 'Delete port 80'],
  [`/vm/scheduler${QUERY}`, /^Delete (Power On|Shut Down) on/],
  [`/createvm${QUERY}`, 'Ubuntu 24.04 Starter'],
  [`/vm/deletelogs${QUERY}`, 'Delete Logs'],
  [`/vm/deletetraining${QUERY}`, 'Delete Training'],
  [
    '/sandbox/azure/users',
    'Add User',
    'Bulk Add',
    'Renew priya.nair@labs.test',
    'Delete priya.nair@labs.test',
    /^Delete .*-sandbox$/,
  ],
  ['/admin/organisation?organization=Acme+Learning', 'Change Tax Status', 'Set a Price'],
  ['/admin/people?organization=Acme+Learning', /^Data of \S+@\S+$/],
  ['/ledger/account?organization=Acme+Learning', 'Correct an Entry'],
  ['/ledger', 'Add Invoice', 'Record TDS', 'Export for Bookkeeping'],
  ['/ledger/costs', 'Import a Bill'],
  ['/admin/keys', 'Create API Key'],
  ['/admin/lms?organization=Acme+Learning', 'Add LMS'],
  ['/admin/webhooks?organization=Acme+Learning', 'Add endpoint', 'Edit', 'Send deliveries again', 'Replace secret'],
  ['/admin/import?organization=Acme+Learning', 'Connect to Azure', 'Upload Files'],
  ['/ledger/credit?organization=Acme+Learning', 'Set Up Credit', 'Buy by Invoice', 'Record Purchase', 'Change Terms'],
  ['/budgets?organization=Acme+Learning', 'Set a Budget'],
]

async function checkDialog(page: Page, opener: Locator): Promise<void> {
  await expect(opener).toBeEnabled()
  await opener.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading', { level: 2 })).toBeVisible()
  await expect(dialog).toBeVisible()
  await waitForPaint(page)
  const name = await dialog.getByRole('heading', { level: 2 }).innerText()
  expect(await dialog.evaluate((element) => element.scrollWidth <= element.clientWidth), `${name} fits`).toBe(true)
  // The page behind the dialog is checked by another test and cannot be reached now.
  const problems = await axeProblems(page, { within: '[role=dialog]' })
  expect.soft(problems, name).toEqual([])
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(opener).toBeFocused()
}

for (const [width, colorScheme, maxDialogs] of [
  [1440, 'light', Infinity],
  // At this size all dialogs of a screen have the same parts, so only the first dialog of each screen is checked.
  [390, 'dark', 1],
] as const) {
  test.describe(`${width}, ${colorScheme}`, { tag: width === 390 ? '@storm' : [] }, () => {
    test.use({ viewport: { width, height: 844 }, colorScheme })

    test(
      'each dialog has a name, fits, closes on Escape, and axe finds no problems in it',
      { tag: '@storm' },
      async ({ signedIn }) => {
        test.slow()
        const page = await signedIn('superadmin')
        for (const [screen, ...buttons] of OPENERS) {
          await navigate(page, screen)
          for (const name of buttons.slice(0, maxDialogs))
            await checkDialog(
              page,
              page
                .getByRole('main')
                .getByRole('button', { name, exact: typeof name === 'string' })
                .first(),
            )
        }
      },
    )

    test('the payment dialog of an admin has a name, fits, closes on Escape, and axe finds no problems in it', async ({
      signedIn,
    }) => {
      const page = await signedIn('admin')
      await navigate(page, '/ledger/account')
      await checkDialog(page, page.getByRole('button', { name: 'Make a Payment' }))
    })

    test('the dialogs for requests of an admin have a name, fit, close on Escape, and axe finds no problems in them', async ({
      signedIn,
    }) => {
      const page = await signedIn('admin', '/requests')
      for (const name of ['Request Quota', 'Request an Admin'])
        await checkDialog(page, page.getByRole('button', { name }))
    })
  })
}
