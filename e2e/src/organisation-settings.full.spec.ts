import { crc32, deflateSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { expectNoAxeProblems } from './expect-no-axe-problems.ts'
import { navigate } from './navigate.ts'
import { DEMO_USERS, expect, signIn, test } from './test.ts'

const statusWith = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text })
const settings = async (page: Page) => {
  await page.getByRole('link', { name: 'Organisation Settings' }).click()
  await expect(page.getByRole('heading', { level: 2, name: 'Profile' })).toBeVisible()
}
/** Returns a grey PNG image of 64 x 64 pixels. */
function picture(): Buffer {
  const chunk = (kind: string, data: Buffer) => {
    const [length, sum, body] = [Buffer.alloc(4), Buffer.alloc(4), Buffer.concat([Buffer.from(kind, 'latin1'), data])]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const header = Buffer.from([0, 0, 0, 64, 0, 0, 0, 64, 8, 0, 0, 0, 0])
  const rows = Buffer.concat(
    Array.from({ length: 64 }, () => Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 0x77)])),
  )
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks])
}

test('an admin sets time zone and logo of their organisation, and its users see them', async ({
  signedIn,
  newPageAs,
}) => {
  const page = await signedIn('admin')
  await settings(page)
  const profile = page.getByRole('region', { name: 'Profile' })
  await expect(profile.getByRole('button', { name: 'Save Profile' })).toBeDisabled()
  await expect(profile.getByLabel('Credit Limit (rupees)')).toHaveCount(0)
  await profile.getByLabel('Time Zone').fill('Bombay')
  await profile.getByRole('button', { name: 'Save Profile' }).click()
  await expect(profile).toContainText('Choose a time zone from the list, such as Asia/Kolkata.')
  await profile.getByLabel('Time Zone').fill('Asia/Kathmandu')
  await profile.getByRole('button', { name: 'Save Profile' }).click()
  await expect(statusWith(page, 'The profile of Acme Learning is saved.')).toBeVisible()
  await expect(profile.getByLabel('Time Zone')).toHaveValue('Asia/Kathmandu')

  const image = page.getByLabel('Image of the logo')
  await image.setInputFiles({
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: Buffer.from('<svg onload="alert(1)"/>'),
  })
  await expect(page.getByRole('alert')).toContainText('image must be a PNG, JPEG or WebP image')
  await image.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: picture() })
  await expect(statusWith(page, 'The logo of Acme Learning is saved.')).toBeVisible()

  const userPage = await newPageAs(DEMO_USERS.user)
  const logo = userPage.locator('img[src^="/api/logo/"]')
  await expect(logo).toBeVisible()
  await expect(logo).toHaveJSProperty('naturalWidth', 64)
  await userPage.context().close()

  await page.getByRole('button', { name: 'Remove Logo' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(statusWith(page, 'Acme Learning no longer has a logo.')).toBeVisible()
  await profile.getByLabel('Time Zone').fill('Asia/Kolkata')
  await profile.getByRole('button', { name: 'Save Profile' }).click()
  await expect(profile.getByRole('button', { name: 'Save Profile' })).toBeDisabled()
})

test('saves the sign-in rules and explains an invalid one', async ({ signedIn }) => {
  const page = await signedIn('superadmin', '/admin/sign-in')
  await expect(page.getByText('Please select a customer from the sidebar.')).toBeVisible()
  await page.getByRole('list', { name: 'Customers' }).getByRole('button', { name: 'Globex Academy' }).click()
  const security = page.getByRole('region', { name: 'Security' })
  await security.getByLabel('Idle Limit (minutes)').fill('3')
  await security.getByRole('button', { name: 'Save Security' }).click()
  await expect(security).toContainText('Must be at least 5.')
  await security.getByLabel('Idle Limit (minutes)').fill('600')
  await security.getByRole('button', { name: 'Save Security' }).click()
  await expect(statusWith(page, 'The security settings of Globex Academy are saved.')).toBeVisible()
  await page.reload()
  await expect(security.getByLabel('Idle Limit (minutes)')).toHaveValue('600')

  await navigate(page, '/admin/organisation?organization=Globex+Academy')
  const profile = page.getByRole('region', { name: 'Profile' })
  const before = await profile.getByLabel('Credit Limit (rupees)').inputValue()
  await profile.getByLabel('Credit Limit (rupees)').fill('123456.78')
  await profile.getByRole('button', { name: 'Save Profile' }).click()
  await expect(statusWith(page, 'The profile of Globex Academy is saved.')).toBeVisible()
  await navigate(page, '/ledger/account?organization=Globex+Academy')
  await expect(page.getByText('₹1,23,456.78').first()).toBeVisible()
  expect(before).not.toBe('123456.78')
})

test('what is typed for one customer is not kept for another', async ({ signedIn }) => {
  const page = await signedIn('superadmin', '/admin/privacy?organization=Globex+Academy')
  const purpose = page.getByLabel('Purpose')
  const customer = page.getByLabel('Choose Customer')
  await expect(purpose).toHaveValue('')
  await customer.selectOption('Acme Learning')
  await purpose.fill('Typed for Acme')
  await customer.selectOption('Globex Academy')
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await expect(page).toHaveURL(/organization=Globex/)
  await expect(purpose).toHaveValue('')
})

test(
  'a superadmin promotes a learner to admin, and signs them out by that and by the checkbox',
  { tag: '@storm' },
  async ({ signedIn, browser, portal }) => {
    const page = await signedIn('superadmin', '/overview')
    await page.getByRole('button', { name: 'Create User' }).click()
    const form = page.getByRole('dialog', { name: 'Create User' })
    await form.getByLabel('Email').fill('rising@acme.test')
    await form.getByRole('textbox', { name: 'Password' }).fill('a-long-enough-Password-1')
    await form.getByLabel('Organization').selectOption('Acme Learning')
    await form.getByLabel('User Type').selectOption('user')
    await form.getByRole('button', { name: 'Create', exact: true }).click()
    // A field behind an open dialog accepts no text.
    await expect(form).toHaveCount(0)
    // Other tests may have created many users, and only visible rows are rendered.
    await page.getByRole('searchbox', { name: 'Search User' }).fill('rising@')
    await expect(page.getByRole('table', { name: 'User', exact: true })).toContainText('rising@acme.test')
    const context = await browser.newContext({ baseURL: portal.url })
    const userPage = await context.newPage()
    await signIn(userPage, 'rising@acme.test', 'a-long-enough-Password-1')

    await page.getByRole('button', { name: 'Edit rising@acme.test' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit rising@acme.test' })
    await dialog.getByLabel('Name').fill('Asha Rao')
    await dialog.getByLabel('User Type').selectOption('admin')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(
      statusWith(page, 'rising@acme.test now has the access level admin and must log in again.'),
    ).toBeVisible()
    await expect(page.getByRole('row').filter({ hasText: 'rising@acme.test' })).toContainText('Asha Rao')

    await userPage.reload()
    await expect(userPage).toHaveURL(/\/login/)
    await signIn(userPage, 'rising@acme.test', 'a-long-enough-Password-1')
    await navigate(userPage, '/admin/people')
    await userPage.getByRole('region', { name: 'People' }).getByRole('searchbox').fill('rising@')
    const peopleTable = userPage.getByRole('table', { name: 'People of Acme Learning' })
    await expect(peopleTable).toContainText('Asha Rao')
    await userPage.getByRole('button', { name: 'Edit rising@acme.test' }).click()
    const profileDialog = userPage.getByRole('dialog', { name: 'Edit rising@acme.test' })
    await expect(profileDialog.getByLabel('User Type')).toHaveCount(0)
    await profileDialog.getByLabel('Name').fill('Asha R. Rao')
    await profileDialog.getByRole('button', { name: 'Save' }).click()
    await expect(peopleTable).toContainText('Asha R. Rao')

    await page.getByRole('button', { name: 'Edit rising@acme.test' }).click()
    await dialog.getByLabel('Sign them out everywhere').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(statusWith(page, 'rising@acme.test was signed out everywhere.')).toBeVisible()
    await userPage.reload()
    await expect(userPage).toHaveURL(/\/login/)
    await userPage.getByRole('link', { name: 'Privacy notice' }).click()
    await expect(userPage.getByRole('heading', { level: 1 })).toHaveText('Privacy Notice')
    await context.close()
  },
)

test('renews a lab user with more days and credits', async ({ signedIn }) => {
  const page = await signedIn('superadmin', '/sandbox/azure/users')
  const email = 'priya.nair@labs.test'
  const noticeItem = page.getByRole('listitem', { name: email })
  const days = Number(/(\d+) days?/.exec(await noticeItem.innerText())![1])
  await noticeItem.getByRole('button', { name: `Renew ${email}` }).click()
  const dialog = page.getByRole('dialog', { name: `Renew ${email}` })
  await dialog.getByRole('button', { name: 'Renew' }).click()
  await expect(dialog).toContainText('Enter 1 to 366 days.')
  await dialog.getByLabel('Days').fill('4')
  await dialog.getByLabel('Credits to add (rupees)').fill('250.50')
  await dialog.getByRole('button', { name: 'Renew' }).click()
  await expect(
    statusWith(page, /User priya\.nair@labs\.test now ends on .* ₹250\.50 of credits were added\./),
  ).toBeVisible()
  await expect(noticeItem).toContainText(`${days + 4} days`)
})

test('edits a card, whose new price applies from then on', async ({ signedIn }) => {
  const page = await signedIn('superadmin', '/overview')
  await page.getByRole('button', { name: 'Edit Ubuntu 24.04 Starter' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit VM Card' })
  const rate = dialog.getByLabel('Rate (rupees an hour)')
  await expect(dialog.getByLabel('Template Name')).toHaveValue('Ubuntu 24.04 Starter')
  await expect(dialog.getByLabel('Template Name')).not.toBeEditable()
  const before = await rate.inputValue()
  await rate.fill('77.25')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(statusWith(page, 'Template Ubuntu 24.04 Starter changed. New orders use it.')).toBeVisible()
  await navigate(page, '/createvm?organization=Acme+Learning')
  await expect(page.getByRole('listitem').filter({ hasText: 'Ubuntu 24.04 Starter' })).toContainText('77.25')
  await navigate(page, '/overview')
  await page.getByRole('button', { name: 'Edit Ubuntu 24.04 Starter' }).click()
  await expect(rate).toHaveValue('77.25')
  await rate.fill(before)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
})

test(
  'shows why an invitation was rejected, and corrects the address',
  { tag: '@storm' },
  async ({ signedIn, newPageAs, portal }) => {
    await portal.postToEmulator('/_faults', {
      kind: 'rejectRecipient',
      operation: 'Mail_Recipient',
      name: 'tarra@acme.test',
      message: '5.1.1 No such user here',
    })
    const root = await newPageAs(DEMO_USERS.superadmin)
    const uid = await root.evaluate(() => localStorage.getItem('uid'))
    const invited = await root.request.post('/api/admin/users/invite', {
      headers: { authorization: `Bearer ${uid}` },
      data: { email: 'tarra@acme.test', organization: 'Acme Learning', userType: 'user' },
    })
    expect(invited.status()).toBe(200)
    const page = await signedIn('admin')
    await navigate(page, '/admin/people')
    const peopleRegion = page.getByRole('region', { name: 'People' })
    const row = peopleRegion.getByRole('row').filter({ hasText: 'tarra@acme.test' })
    await expect(async () => {
      await page.reload()
      // Only visible rows are rendered, and other tests may have created many users.
      await peopleRegion.getByRole('searchbox').fill('tar')
      await expect(row).toContainText('Invitation rejected: 550 5.1.1 No such user here', { timeout: 15_000 })
    }).toPass()
    await navigate(root, '/overview')
    await root.getByRole('searchbox', { name: 'Search User' }).fill('tarra@')
    await expect(root.getByText('Invitation rejected: 550 5.1.1 No such user here')).toBeVisible()
    await row.getByRole('button', { name: 'Edit address tarra@acme.test' }).click()
    const dialog = page.getByRole('dialog', { name: 'Correct tarra@acme.test' })
    await dialog.getByLabel('Email').fill('tara@acme.test')
    await expectNoAxeProblems(page, [
      [1440, 'light'],
      [390, 'dark'],
    ])
    await dialog.getByRole('button', { name: 'Save and Invite' }).click()
    await expect(statusWith(page, 'A new invitation is on its way to tara@acme.test.')).toBeVisible()
    await expect(peopleRegion.getByRole('row').filter({ hasText: 'tara@acme.test' })).not.toContainText('rejected')
    await expect
      .poll(async () => (await portal.mails()).filter(({ to }) => to.includes('tara@acme.test')).length)
      .toBe(1)
  },
)
