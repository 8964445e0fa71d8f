import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { axeProblems } from './axe.ts'
import { navigate } from './navigate.ts'
import { expect, test } from './test.ts'

const BAD = ['two words,x@home.test', 'off,nowhere', 'LEARNER-0,again@home.test', ',x@home.test', 'alone,']
const GOOD = 30
/** Every seventh line is invalid. */
const lines = Array.from({ length: GOOD }, (_, row) => [
  `learner-${row},learner-${row}@home.test`,
  ...(row % 6 === 5 ? [BAD[(row - 5) / 6]!] : []),
]).flat()

const csv = (...rows: string[]) => ({
  name: 'learners.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(`\uFEFFUsername,PersonalEmail\r\n${rows.join('\r\n')}\r\n`),
})

async function choose(page: Page, file: ReturnType<typeof csv>) {
  await page.getByRole('button', { name: 'Bulk Add' }).click()
  const dialog = page.getByRole('dialog', { name: 'Bulk Add Users' })
  await dialog.getByLabel('CSV file').setInputFiles(file)
  return dialog
}

async function create(page: Page, users: string) {
  await page.getByRole('button', { name: `Create ${users}` }).click()
  const question = page.getByRole('dialog', { name: `Create ${users}` })
  await question.getByRole('button', { name: `Create ${users}` }).click()
}

test('a list with bad rows, a reload half-way and a second run creates each valid user once', async ({
  signedIn,
  portal,
}) => {
  const page = await signedIn('superadmin')
  // A user with the address of one row already exists. Only the server can detect the conflict.
  const uid = await page.evaluate("localStorage.getItem('uid')")
  const created = await page.request.post('/api/admin/users', {
    headers: { authorization: `Bearer ${String(uid)}` },
    data: {
      email: 'learner-29@labs.test',
      password: 'a-long-enough-Password-1',
      organization: 'Acme Learning',
      userType: 'user',
    },
  })
  expect(created.status()).toBe(200)

  await navigate(page, '/sandbox/azure/users')
  const dialog = await choose(page, csv())
  await expect(dialog.getByRole('alert')).toHaveText('CSV file must have at least one user entry.')
  await dialog.getByLabel('CSV file').setInputFiles(csv('asha', 'ravi'))
  await expect(dialog.getByRole('alert')).toHaveText(
    'Invalid CSV format. Ensure the first column is username and the second is personalEmail.',
  )
  await dialog.getByLabel('CSV file').setInputFiles(csv(...lines))
  await expect(dialog.getByText('30 users to create, 5 rows skipped')).toBeVisible()
  await expect(dialog.getByRole('table', { name: 'Skipped rows' }).getByRole('row')).toHaveText([
    /Line/,
    /^8two words.*may contain only letters/,
    /^15off.*not a valid e-mail address/,
    /^22LEARNER-0.*is already used in line 2/,
    /^29–.*username is missing/,
    /^36alone.*personal email is missing/,
  ])
  await dialog.getByLabel('Duration (days)').fill('5')
  expect(await axeProblems(page)).toEqual([])

  // The response to the 16th request never reaches the page, which is then reloaded.
  const halfDone = Promise.withResolvers<void>()
  let requestCount = 0
  await page.route('**/api/sandbox/user', async (route) => {
    if (route.request().method() !== 'POST' || ++requestCount < 16) return route.continue()
    await route.fetch()
    halfDone.resolve()
  })
  await create(page, '30 users')
  await halfDone.promise
  const bar = dialog.getByRole('progressbar', { name: 'Creating users' })
  await expect(bar).toHaveAttribute('value', '40')
  await expect(dialog).toContainText('15 of 30 users')
  await page.reload()
  await page.unrouteAll({ behavior: 'ignoreErrors' })

  await choose(page, csv(...lines))
  await expect(dialog.getByText('14 users to create, 5 rows skipped, 16 already exist')).toBeVisible()
  await dialog.getByLabel('Duration (days)').fill('5')
  await create(page, '14 users')
  await expect(dialog.getByText('Task Completed')).toBeVisible()
  await expect(bar).toHaveAttribute('value', '100')
  await expect(dialog.getByRole('listitem')).toHaveText([
    '29 users created, 16 of them by an earlier run of this file',
    'Error creating user: 1 user',
    '5 rows skipped',
  ])
  const table = dialog.getByRole('table', { name: 'Rows not created' })
  await expect(table).toContainText('There is already a user learner-29@labs.test.')
  expect(await axeProblems(page)).toEqual([])
  const saving = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Export CSV' }).click()
  const saved = await readFile(await (await saving).path(), 'utf8')
  expect(saved).toContain('learner-29,learner-29@home.test,5,35,There is already a user learner-29@labs.test.')
  expect(saved.trim().split('\r\n')).toHaveLength(7)
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  await page.getByLabel('Find a user').fill('learner-')
  await expect(page.getByText('29 users', { exact: true })).toBeVisible()
  const each = (domain: string) => Array.from({ length: 29 }, (_, row) => `learner-${row}@${domain}`).toSorted()
  const learners = (addresses: readonly string[]) =>
    addresses.filter((address) => address.startsWith('learner-')).toSorted()
  await expect
    .poll(async () => learners((await portal.labUsers()).map(({ userPrincipalName }) => userPrincipalName)))
    .toEqual(each('labs.test'))
  await expect
    .poll(async () => learners((await portal.mails()).flatMap(({ to: address }) => address)))
    .toEqual(each('home.test'))

  // A long list is a table, with the actions of the cards.
  const users = page.getByRole('table', { name: 'Lab users' })
  await expect(users.getByRole('row')).toHaveCount(30)
  await users.getByRole('button', { name: 'Email' }).click()
  await expect(users.getByRole('row').nth(1)).toContainText('learner-0@labs.test')
  await page.getByLabel('End', { exact: true }).selectOption('Ends within 7 days')
  await expect(users.getByRole('row')).toHaveCount(30)
  await page.getByLabel('End', { exact: true }).selectOption('Expired')
  await expect(users).toHaveCount(0)
  await page.getByLabel('End', { exact: true }).selectOption('Any end')
  await users.getByRole('button', { name: 'Renew learner-1@labs.test' }).click()
  await page.getByRole('dialog', { name: 'Renew learner-1@labs.test' }).getByRole('button', { name: 'Cancel' }).click()
  await users.getByRole('button', { name: 'learner-1@labs.test', exact: true }).click()
  const details = page.getByRole('complementary', { name: 'learner-1@labs.test' })
  await expect(details).toContainText('Credits')
  await expect(details.getByRole('button', { name: 'Issue access pass for learner-1@labs.test' })).toBeVisible()
  expect(await axeProblems(page)).toEqual([])
  const exporting = page.waitForEvent('download')
  await page.getByRole('region', { name: 'Users' }).getByRole('button', { name: 'Export CSV' }).click()
  expect((await readFile(await (await exporting).path(), 'utf8')).trim().split('\r\n')).toHaveLength(30)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(users).toHaveCount(0)
  await expect(page.getByRole('listitem', { name: 'learner-1@labs.test' })).toContainText('Credits')
})

test('cancels and resumes a list of AWS lab users, and recreates a deleted user', async ({ signedIn, portal }) => {
  const page = await signedIn('superadmin', '/sandbox/aws/users')
  const list = csv('meera,meera@home.test', 'kabir,kabir@home.test', 'tara,tara@home.test')
  const dialog = await choose(page, list)
  await dialog.getByLabel('Duration (days)').fill('2')
  const secondRequest = Promise.withResolvers<void>()
  const cancelled = Promise.withResolvers<void>()
  let requestCount = 0
  await page.route('**/api/aws/user', async (route) => {
    if (route.request().method() === 'POST' && ++requestCount === 2) {
      secondRequest.resolve()
      await cancelled.promise
    }
    await route.continue()
  })
  await create(page, '3 users')
  await secondRequest.promise
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  cancelled.resolve()
  await expect(dialog.getByRole('listitem')).toHaveText(['2 users created', '1 user not processed yet'])
  await dialog.getByRole('button', { name: 'Resume' }).click()
  await expect(dialog.getByText('Task Completed')).toBeVisible()
  await expect(dialog.getByRole('listitem')).toHaveText(['3 users created'])
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  const kabir = page.getByRole('listitem', { name: 'kabir@aws.labs.test' })
  await expect(kabir).toContainText('Ready')
  await kabir.getByRole('button', { name: 'Delete kabir@aws.labs.test' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  // The page polls the list, at intervals, until the user is deleted at the provider.
  await expect(async () => {
    await portal.advanceClock(60)
    await expect(kabir).toHaveCount(0, { timeout: 10_000 })
  }).toPass()
  await choose(page, list)
  await dialog.getByLabel('Duration (days)').fill('2')
  await expect(dialog.getByText('1 user to create, 2 already exist')).toBeVisible()
  await create(page, '1 user')
  await expect(dialog.getByText('Task Completed')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(kabir).toContainText('Ready')
})
