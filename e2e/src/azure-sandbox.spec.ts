import { addLabUser } from './lab-users.ts'
import { expect, test } from './test.ts'

test('a sandbox user creates a sandbox, signs in at Azure, and deletes the sandbox', async ({
  signedIn,
  portal,
  context,
}) => {
  const page = await signedIn('sandboxuser')
  await page.getByRole('link', { name: 'Azure Sandbox', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Azure Sandbox' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Credits' })).toContainText('₹214.45 / ₹1,000.00')
  await expect(page.getByRole('meter', { name: 'Credits consumed' })).toHaveText('21.45%')
  await page.getByRole('link', { name: 'How to use a sandbox' }).click()
  await expect(page.getByRole('heading', { name: 'How to use a sandbox' })).toBeInViewport()

  const form = page.getByRole('region', { name: 'Create Sandbox' })
  await expect(form.getByLabel('Location')).toHaveValue('southindia')
  await expect(form.getByRole('option')).toHaveText(['southindia', 'eastus', 'westus'])
  await form.getByRole('button', { name: 'Create Sandbox' }).click()
  await expect(form.getByRole('alert')).toHaveText('Sandbox name must be 1 to 5 characters long.')
  await form.getByLabel('Sandbox name').pressSequentially('trial-and-error')
  await expect(form.getByLabel('Sandbox name')).toHaveValue('trial')
  await form.getByLabel('Location').selectOption('westus')
  await form.getByLabel('Sandbox name').press('Enter')
  await expect(
    page.getByRole('status').filter({ hasText: 'Request Sent, please wait 10 seconds and refresh!' }),
  ).toBeVisible()

  const card = page.getByRole('listitem', { name: /-trial-sandbox$/ })
  await expect(card).toContainText('Ready')
  await expect(card).toContainText(
    /Created\d\d:\d\d:\d\d, \d\d \w{3} \d{4}Will be deleted\d\d:\d\d:\d\d, \d\d \w{3} \d{4}/,
  )
  const group = (await card.getByRole('heading').innerText()).trim()
  expect(await portal.resourceGroups()).toContain(group)
  await expect(card.getByRole('link', { name: `Open the Azure portal for ${group}` })).toHaveAttribute('href', /^http/)

  await page.getByRole('button', { name: 'Show the first password' }).click()
  const password = page.getByRole('definition').filter({ has: page.getByLabel('Copy the first password') })
  await expect(password).toHaveText(/^\S{18}$/)
  const opening = context.waitForEvent('page')
  await card.getByRole('link', { name: 'Open the Azure portal' }).click()
  const azure = await opening
  await azure.getByLabel('User name').fill('sandbox@demo.test')
  await azure.getByLabel('Password').fill(await password.innerText())
  await azure.getByRole('button', { name: 'Sign in' }).click()
  await azure.getByRole('button', { name: 'Set up the authenticator' }).click()
  const groupHeading = azure.getByRole('heading', { level: 2, name: group })
  await expect(groupHeading).toBeVisible()

  await form.getByLabel('Sandbox name').fill('trial')
  await form.getByRole('button', { name: 'Create Sandbox' }).click()
  await expect(page.getByRole('alert')).toHaveText(`The name ${group} is taken. Please choose another one.`)

  await card.getByRole('button', { name: `Delete ${group}` }).click()
  await page
    .getByRole('dialog', { name: `Delete ${group}` })
    .getByRole('button', { name: 'Delete', exact: true })
    .click()
  await expect(
    page.getByRole('status').filter({ hasText: 'Deleted! Please wait 30 seconds and refresh.' }),
  ).toBeVisible()
  await expect(card).toHaveCount(0)
  await expect.poll(() => portal.resourceGroups()).not.toContain(group)
  await azure.reload()
  await expect(azure.getByText('is signed in')).toBeVisible()
  await expect(groupHeading).toHaveCount(0)
})

test('a superadmin adds an Azure lab user, deletes a sandbox, and deletes a user with all their sandboxes', async ({
  signedIn,
  portal,
}) => {
  const page = await signedIn('superadmin')
  await addLabUser(page, 'Azure Lab Users', {
    username: 'asha.rao',
    personalEmail: 'asha+labs@home.technology',
    days: 3,
  })
  const statusMessage = (text: string) => page.getByRole('status').filter({ hasText: text })
  const confirm = async (name: string) =>
    page.getByRole('dialog', { name }).getByRole('button', { name: 'Delete', exact: true }).click()

  const email = 'asha.rao@labs.test'
  const asha = page.getByRole('listitem', { name: email })
  await expect(asha).toContainText('Ready')
  await expect(asha).toContainText('Credits ₹0.00 of ₹1,000.00')
  await expect
    .poll(async () => (await portal.mails()).some(({ to }) => to.includes('asha+labs@home.technology')))
    .toBe(true)

  await asha.getByRole('button', { name: `Issue access pass for ${email}` }).click()
  await asha.getByRole('button', { name: `Show access pass of ${email}` }).click()
  const pass = page.getByRole('dialog', { name: `Access pass of ${email}` })
  await expect(pass.getByRole('definition').first()).toHaveText(/^\S{8}$/)
  await page.keyboard.press('Escape')
  await expect(asha.getByRole('button', { name: `Issue access pass for ${email}` })).toBeEnabled()

  await page.getByLabel('Find a user').fill('priya')
  await expect(page.getByText('1 user', { exact: true })).toBeVisible()
  const sandboxes = page.getByRole('list', { name: 'Sandboxes of priya.nair@labs.test' })
  await expect(sandboxes).toContainText('Ready')
  const group = (await sandboxes.getByText(/-k8s-sandbox$/).innerText()).trim()
  await sandboxes.getByRole('button', { name: `Delete ${group}` }).click()
  await confirm(`Delete ${group}`)
  await expect(statusMessage(`Sandbox ${group} deleted successfully!`)).toBeVisible()
  await expect(sandboxes).not.toContainText('Ready')
  await expect.poll(() => portal.resourceGroups()).not.toContain(group)

  await page.getByLabel('Find a user').fill('')
  const users = page.getByRole('region', { name: 'Users' }).getByRole('heading', { level: 2 })
  await page.getByLabel('End', { exact: true }).selectOption('Ends within 7 days')
  await expect(users.filter({ hasText: email })).toBeVisible()
  await page.getByLabel('End', { exact: true }).selectOption('Ends within 1 day')
  await expect(users.filter({ hasText: email })).toHaveCount(0)
  await page.getByLabel('End', { exact: true }).selectOption('Any end')
  await expect(users.first()).toHaveText(email)
  const names = await users.allInnerTexts()
  await page.getByLabel('Sort by').selectOption('Sort: Name')
  await expect(users).toHaveText(names.toSorted((a, b) => a.localeCompare(b)))
  const demo = 'sandbox@demo.test'
  await page.getByRole('button', { name: `Delete ${demo}` }).click()
  await expect(page.getByRole('dialog', { name: `Delete ${demo}` })).toContainText(
    /\d sandboxes are deleted.*-data-sandbox/,
  )
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: `Delete ${email}` }).click()
  await confirm(`Delete ${email}`)
  await expect(statusMessage(`User ${email} deleted successfully!`)).toBeVisible()
  await expect(asha).not.toContainText('Ready')
  const hasAccess = async () =>
    (await portal.labUsers()).some((user) => user.userPrincipalName === email && (user.exists || user.canSignIn))
  await expect.poll(hasAccess).toBe(false)
})
