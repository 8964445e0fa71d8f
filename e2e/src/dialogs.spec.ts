import type { Locator, Page } from '@playwright/test'
import { axeProblems } from './axe.ts'
import { goOn } from './go-on.ts'
import { settled } from './screens.ts'
import { expect, test } from './test.ts'

const OF = '?organization=Acme+Learning&training=Containers+Workshop'

/** The buttons that open dialogs, by screen: each kind of dialog once. */
const OPENERS: readonly (readonly [screen: string, ...buttons: (string | RegExp)[]])[] = [
  [
    '/overview',
    'Create Organization',
    'Create User',
    'Create VM Card',
    'Assign VM Card',
    'Delete Globex Academy',
    'Ask for a reset',
  ],
  ['/overview', /^Edit \S+@\S+$/, 'Edit Ubuntu 24.04 Starter'],
  [`/vm/class${OF}`, 'Announce', 'Idle machines'],
  [`/vm/ports${OF}`, 'Open Port', 'Delete port 80'],
  [`/vm/scheduler${OF}`, /^Delete (Power On|Shut Down) on/],
  [`/createvm${OF}`, 'Ubuntu 24.04 Starter'],
  [`/vm/deletelogs${OF}`, 'Delete Logs'],
  [`/vm/deletetraining${OF}`, 'Delete Training'],
  [
    '/sandbox/azure/users',
    'Add User',
    'Bulk Add',
    'Renew priya.nair@labs.test',
    'Delete priya.nair@labs.test',
    /^Delete .*-sandbox$/,
  ],
  ['/ledger', 'Add Invoice', 'Record TDS', 'Export for Bookkeeping'],
  ['/ledger/costs', 'Import a Bill'],
  ['/budgets?organization=Acme+Learning', 'Set a Budget', 'Forecast of Linux 101'],
]

async function look(page: Page, opener: Locator): Promise<void> {
  await expect(opener).toBeEnabled()
  await opener.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading', { level: 2 })).toBeVisible()
  await expect(dialog).toBeVisible()
  await settled(page)
  const name = await dialog.getByRole('heading', { level: 2 }).innerText()
  expect(await dialog.evaluate((it) => it.scrollWidth <= it.clientWidth), `${name} fits`).toBe(true)
  // The page behind was looked at by itself, and can't be reached now. No page of axe's own is needed to sum up in.
  const problems = await axeProblems(page, { within: 'dialog[open]' })
  expect.soft(problems, name).toEqual([])
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(opener).toBeFocused()
}

for (const [width, colorScheme, most] of [
  [1440, 'light', Infinity],
  // They are made of the same parts: in the other form the first of each screen will do.
  [390, 'dark', 1],
] as const) {
  test.describe(`${width}, ${colorScheme}`, () => {
    test.use({ viewport: { width, height: 844 }, colorScheme })

    test('each dialog has a name, fits, is left by Escape, and axe finds nothing in it', async ({ signedIn }) => {
      test.slow()
      const page = await signedIn('superadmin')
      for (const [screen, ...buttons] of OPENERS) {
        await goOn(page, screen)
        for (const name of buttons.slice(0, most))
          await look(
            page,
            page
              .getByRole('main')
              .getByRole('button', { name, exact: typeof name === 'string' })
              .first(),
          )
      }
    })

    test('each dialog of an admin who pays has a name, fits, is left by Escape, and axe finds nothing in it', async ({
      signedIn,
    }) => {
      const page = await signedIn('admin')
      await goOn(page, '/ledger/account')
      await look(page, page.getByRole('button', { name: 'Make a Payment' }))
    })
  })
}
