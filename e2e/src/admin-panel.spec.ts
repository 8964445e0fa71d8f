import { axeProblems } from './axe.ts'
import { navigate } from './navigate.ts'
import { expect, PASSWORD, test } from './test.ts'

test('shows the four lists of the System Admin Panel, and creates and deletes an organisation and a user', async ({
  signedIn,
}) => {
  const page = await signedIn('superadmin')
  await page.getByRole('link', { name: 'System Admin Panel' }).click()
  for (const name of ['Organisation', 'User', 'Template', 'Assigned'])
    await expect(page.getByRole('heading', { level: 2, name, exact: true })).toBeVisible()
  const list = (name: string) => page.getByRole('table', { name, exact: true })
  await expect(list('Organisation').getByRole('row').nth(1).getByRole('cell').first()).toHaveText('1')

  await page.getByRole('button', { name: 'Create Organization' }).click()
  const organisation = page.getByRole('dialog', { name: 'Create Organization' })
  await organisation.getByRole('textbox').fill('Initech Institute')
  await organisation.getByRole('textbox').press('Enter')
  await expect(list('Organisation')).toContainText('Initech Institute')

  await page.getByRole('button', { name: 'Create User' }).click()
  const user = page.getByRole('dialog', { name: 'Create User' })
  await user.getByLabel('Email').fill('  peter+lab@initech.academy ')
  await user.getByRole('textbox', { name: 'Password' }).fill('a-long-enough-Password-1')
  await user.getByLabel('Organization').selectOption('Initech Institute')
  await user.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(list('User')).toContainText('peter+lab@initech.academy')

  await page.getByRole('button', { name: 'Delete peter+lab@initech.academy' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(list('User')).not.toContainText('peter+lab@initech.academy')

  await page.getByRole('button', { name: 'Delete Acme Learning', exact: true }).click()
  await expect(page.getByRole('dialog')).toContainText(/with its \d+ users.*and with its \d+ card assignments/)
  await expect(page.getByRole('dialog')).toContainText(
    /It still has \d+ live machines in \d trainings? \(.*Linux 101.*\): delete these first/,
  )
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(list('Organisation')).toContainText('Acme Learning')

  await page.getByRole('button', { name: 'Delete Initech Institute', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(list('Organisation')).not.toContainText('Initech Institute')
})

test('shows the columns of each list, searches and exports it, and shows the empty text', async ({ signedIn }) => {
  const page = await signedIn('superadmin', '/overview')
  const columns = {
    Organisation: ['ID', 'Organization', 'Delete'],
    User: ['ID', 'Email', 'Organization', 'User Type', 'Edit, Delete'],
    Template: ['ID', 'Template Name', 'OS', 'VM Size', 'Licence', 'Edit, Delete'],
    Assigned: ['ID', 'Organization', 'Templates', 'Delete'],
  }
  for (const [name, headings] of Object.entries(columns)) {
    const region = page.getByRole('region', { name, exact: true })
    await expect(region.getByRole('columnheader')).toHaveText(headings)
    expect((await region.getByRole('region').boundingBox())!.height).toBeLessThanOrEqual(15 * 16)
    await region.getByRole('searchbox').fill('nothing is called so')
    await expect(region.getByText(`No ${name} Found`)).toBeVisible()
    // Nothing is hidden.
    await expect(region.getByRole('button', { name: /^Show all/ })).toBeHidden()
    await region.getByRole('searchbox').fill('')
    const download = page.waitForEvent('download')
    await region.getByRole('button', { name: 'Export CSV' }).click()
    const chunks: Buffer[] = []
    for await (const chunk of await (await download).createReadStream()) chunks.push(chunk as Buffer)
    const [first, ...lines] = Buffer.concat(chunks).toString().replace('\uFEFF', '').trim().split('\r\n')
    expect(first).toBe(headings.slice(1, -1).join(','))
    expect(lines).toHaveLength((await region.getByRole('row').count()) - 1)
  }

  const users = page.getByRole('region', { name: 'User', exact: true })
  const rows = users.getByRole('region')
  const hidden = () => rows.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)
  expect(await hidden()).toBeGreaterThan(0)
  await users.getByRole('button', { name: `Show all ${(await users.getByRole('row').count()) - 1}` }).click()
  await expect(users.getByRole('button', { name: 'Show fewer' })).toBeFocused()
  expect(await hidden()).toBe(0)
  await users.getByRole('searchbox').fill('learner@acme')
  await expect(users.getByRole('row')).toHaveCount(2)
  // The first press empties the search.
  await page.keyboard.press('Escape')
  await expect(users.getByRole('searchbox')).toHaveValue('')
  expect(await hidden()).toBe(0)
  await page.keyboard.press('Escape')
  await expect(users.getByRole('searchbox')).toBeFocused()
  await expect(users.getByRole('button', { name: /^Show all/ })).toBeVisible()
  expect((await rows.boundingBox())!.height).toBeLessThanOrEqual(15 * 16)
})

test('shows the consequences before a deletion, and the plan fields of a card only for official images', async ({
  signedIn,
}) => {
  const page = await signedIn('superadmin', '/overview')
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Delete learner@acme.test', exact: true }).click()
  await expect(dialog).toContainText('Their 1 live machine and all costs stay.')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Delete Ubuntu 24.04 Starter', exact: true }).click()
  await expect(dialog).toContainText(/Its \d assignments? \(.*Acme Learning.*\)/)
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: 'Create VM Card' }).click()
  await expect(dialog.getByLabel('Plan Publisher')).toHaveCount(0)
  await dialog.getByLabel('Template Name').fill('Ubuntu for analysts')
  await dialog.getByLabel('Rate (rupees an hour)').fill('12.50')
  await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText(
    /^PreviewUbuntu for analysts.*₹12\.50 an hour$/,
  )
  await dialog.getByLabel('Official image').check()
  for (const label of ['Plan Publisher', 'Product', 'Version']) await expect(dialog.getByLabel(label)).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: 'Assign VM Card' }).click()
  await dialog.getByRole('button', { name: 'Assign', exact: true }).click()
  await expect(dialog.getByText('Select an organisation.')).toBeVisible()
  await expect(dialog.getByText('Select a template.')).toBeVisible()
})

test('finds a user by the name as stored and as shown', async ({ signedIn }) => {
  const page = await signedIn('superadmin')
  const uid = await page.evaluate(() => localStorage.getItem('uid'))
  const reply = await page.request.patch('/api/admin/users', {
    headers: { authorization: `Bearer ${uid}` },
    data: { email: 'asha@acme.test', name: 'Pillai, Asha' },
  })
  expect(reply.status()).toBe(200)
  for (const [path, name] of [
    ['/overview', 'User'],
    ['/admin/people?organization=Acme%20Learning', 'People'],
  ] as const) {
    await navigate(page, path)
    const list = page.getByRole('region', { name, exact: true })
    for (const text of ['pillai, asha', 'asha pillai']) {
      await list.getByRole('searchbox').fill(text)
      await expect(list.getByRole('row')).toHaveCount(2)
      await expect(list.getByRole('row').nth(1)).toContainText('asha@acme.test')
    }
  }
})

test('five minutes after the sign-in, Create User and Delete ask for the password first', async ({
  signedIn,
  portal,
}) => {
  const page = await signedIn('superadmin', '/overview')
  const list = page.getByRole('table', { name: 'User', exact: true })
  await portal.advanceClock(6 * 60)
  await page.getByRole('button', { name: 'Create User' }).click()
  const user = page.getByRole('dialog', { name: 'Create User' })
  await user.getByLabel('Email').fill('late@acme.test')
  await user.getByRole('textbox', { name: 'Password' }).fill('a-long-enough-Password-1')
  await user.getByLabel('Organization').selectOption('Acme Learning')
  await user.getByRole('button', { name: 'Create', exact: true }).click()
  const confirm = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await confirm.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('alert')).toHaveText('Not changed: confirmation cancelled.')
  await user.getByRole('button', { name: 'Create', exact: true }).click()
  await confirm.getByLabel('Password', { exact: true }).fill('wrong')
  await confirm.getByRole('button', { name: 'Confirm' }).click()
  await expect(confirm.getByText('The password is wrong.')).toBeVisible()
  await confirm.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await confirm.getByRole('button', { name: 'Confirm' }).click()
  await expect(user).toHaveCount(0)
  await expect(list).toContainText('late@acme.test')

  // The confirmation covers the next change.
  await page.getByRole('button', { name: 'Delete late@acme.test' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(list).not.toContainText('late@acme.test')
})

test(
  'shows why the provider refused a card below its row, over the whole width',
  { tag: '@storm' },
  async ({ signedIn, portal }) => {
    const message = 'The value Standard_Z1 provided for the VM size is not valid.'
    const error = { code: 'InvalidParameter', message }
    const operation = 'VirtualMachines_CreateOrUpdate'
    await portal.postToEmulator('/_faults', { kind: 'refuse', operation, name: 'refusal-*', status: 400, error })
    const admin = await signedIn('admin', '/createvm')
    await admin.getByRole('button', { name: 'Ubuntu 24.04 Starter' }).click()
    const form = admin.getByRole('dialog', { name: 'Order VMs' })
    await form.getByLabel('Training Name').fill('Refusal')
    await form.getByRole('textbox', { name: 'Email IDs' }).fill('asha@acme.test ')
    await form.getByRole('button', { name: 'Submit' }).click()
    await admin
      .getByRole('dialog')
      .getByRole('button', { name: /^Create/ })
      .click()

    const page = await signedIn('superadmin', '/overview')
    const list = page.getByRole('table', { name: 'Template', exact: true })
    const reason = list.getByRole('cell', { name: `Azure refused to create a machine: ${message}` })
    await expect(async () => {
      await page.reload()
      await expect(reason).toBeVisible({ timeout: 2_000 })
    }).toPass()
    for (const width of [1366, 390]) {
      await page.setViewportSize({ width, height: 844 })
      const [cell, tableBox] = [await reason.boundingBox(), await list.boundingBox()]
      expect(cell!.width).toBeGreaterThan(tableBox!.width * 0.95)
      expect(await axeProblems(page)).toEqual([])
    }
    await page.request.delete(`${portal.emulatorUrl}/_faults`)
  },
)
