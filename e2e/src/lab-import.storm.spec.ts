import type { Page } from '@playwright/test'
import { expectNoAxeProblems } from './expect-no-axe-problems.ts'
import { expect, test } from './test.ts'

/** The emulator's subscription. */
const SUBSCRIPTION = '00000000-0000-4000-8000-000000000001'

const takeScreenshots = async (page: Page, name: string) => {
  const folder = process.env['E2E_LOOK']
  if (folder === undefined) return
  for (const [width, colorScheme] of [
    [1366, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: `${folder}/${name}-${width}.png` })
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}

test('a superadmin reads the labs, imports one, moves it and saves the report', async ({ portal, signedIn }) => {
  const page = await signedIn('superadmin', '/admin/import?organization=Acme+Learning')
  await page.getByRole('button', { name: 'Connect to Azure' }).click()
  const connect = page.getByRole('dialog', { name: 'Connect to Azure' })
  await connect.getByRole('button', { name: 'Read the Labs' }).click()
  await expect(connect.getByRole('alert')).toContainText('Enter an ID such as')
  await connect.getByLabel('Subscription ID').fill(SUBSCRIPTION)
  await connect.getByRole('button', { name: 'Read the Labs' }).click()
  const labs = page.getByRole('table', { name: 'Labs' })
  await expect(labs.getByRole('row', { name: /Networks 101/ })).toContainText('3 machines, 3 learners, 1 schedule')
  await expect(page.getByRole('table', { name: 'Sources' })).toContainText('3 of 3 labs')
  await expectNoAxeProblems(page, [
    [1440, 'light'],
    [390, 'dark'],
  ])
  await takeScreenshots(page, 'labs')

  await labs.getByRole('button', { name: 'Dry run of Networks 101' }).click()
  const plan = page.getByRole('dialog', { name: 'Dry Run of Networks 101' })
  await expect(plan.getByRole('heading', { name: /Will be created/ })).toBeVisible()
  await expect(plan).toContainText('Power On at 09:00 Mon, Wed')
  await takeScreenshots(page, 'plan')
  await plan.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByRole('status').filter({ hasText: 'One lab is imported' })).toBeVisible()
  await plan.getByRole('button', { name: 'Import Again' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Nothing has changed since the last import.' })).toBeVisible()

  await plan.getByRole('button', { name: 'Cut Over' }).click()
  const cutOverDialog = page.getByRole('dialog', { name: 'Cut Over Networks 101' })
  await cutOverDialog.getByRole('button', { name: 'Order Machines and Invite' }).click()
  await expect(cutOverDialog.getByRole('alert')).toContainText('Choose the day of the first class.')
  await cutOverDialog
    .getByLabel('First class on')
    .fill(new Date(portal.now().getTime() + 5 * 86_400_000).toISOString().slice(0, 10))
  await cutOverDialog.getByRole('button', { name: 'Order Machines and Invite' }).click()
  await expect(page.getByRole('status').filter({ hasText: '3 machines are ordered' })).toBeVisible()
  const download = page.waitForEvent('download')
  await plan.getByRole('button', { name: 'Report as PDF' }).click()
  expect((await download).suggestedFilename()).toBe('move-networks-101.pdf')
  await page.keyboard.press('Escape')
  await expect(labs.getByRole('row', { name: /Networks 101/ })).toContainText('Moved')
})

test('an admin uploads files, reads the line of a problem, and imports the corrected ones', async ({ signedIn }) => {
  const page = await signedIn('admin', '/admin/import')
  await page.getByRole('button', { name: 'Upload Files' }).click()
  const dialog = page.getByRole('dialog', { name: 'Upload Files' })
  const choose = (csv: string) =>
    dialog
      .getByLabel('Files', { exact: true })
      .setInputFiles({ name: 'labs.csv', mimeType: 'text/csv', buffer: Buffer.from(csv, 'latin1') })
  await choose('LabName,Size,UsageQuota\nFrom a file,Huge,10\n')
  await dialog.getByRole('button', { name: 'Read the Files' }).click()
  await expect(dialog.getByRole('list', { name: 'Problems of the files' })).toHaveText(
    'labs.csv, line 2: Size Huge is not a size of Lab Services.',
  )
  await choose('LabName,Size,UsageQuota\nFrom a café,Basic,10\n')
  await dialog.getByRole('button', { name: 'Read the Files' }).click()
  const labs = page.getByRole('table', { name: 'Labs' })
  await expect(labs.getByRole('row', { name: /From a café/ })).toBeVisible()

  // The first call fails. The labs after it are imported nevertheless.
  let isFirst = true
  await page.route('**/api/labImports/apply', (route) => {
    if (!isFirst) return route.continue()
    isFirst = false
    const message = 'This lab cannot be imported.'
    return route.fulfill({ status: 409, json: { code: 'conflict', message, error: message, requestId: 'test' } })
  })
  await page.getByRole('button', { name: 'Import All' }).click()
  await expect(page.getByRole('list').filter({ hasText: 'This lab cannot be imported.' })).toBeVisible()
  await expect(labs.getByRole('row', { name: /Imported/ }).first()).toBeVisible()
})
