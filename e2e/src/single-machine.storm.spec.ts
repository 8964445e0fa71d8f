import { navigate } from './navigate.ts'
import { DEMO_USERS, expect, test } from './test.ts'
import { orderTraining } from './training.ts'

const TRAINING = 'Three by themselves'
const CONSOLE = `/vm/vmdetails?training=${encodeURIComponent(TRAINING)}`
const LATER = 'later@acme.test'

test('an admin hands over, resets and deletes single machines, and each learner sees only their own', async ({
  signedIn,
  portal,
  newPageAs,
}) => {
  const admin = await signedIn('admin')
  await orderTraining(admin, TRAINING, [DEMO_USERS.user, 'second@acme.test', 'third@acme.test'])
  await navigate(admin, CONSOLE)
  const card = (email: string) =>
    admin.getByRole('list', { name: 'Instances' }).getByRole('listitem').filter({ hasText: email })
  const open = async (email: string, action: string) => {
    const name = await card(email).getByRole('heading').innerText()
    await card(email)
      .getByRole('button', { name: `More actions for ${name}` })
      .click()
    await admin.getByRole('menuitem', { name: action, exact: true }).click()
    return name
  }
  const passwordOf = async (email: string) => {
    const show = card(email).getByRole('button', { name: /^Show the password of/ })
    await show.click()
    const password = await card(email).locator('dd', { hasText: 'Hide' }).locator('span').first().innerText()
    return password.replace(/Hide$/, '')
  }
  const learner = await newPageAs(DEMO_USERS.user, CONSOLE)

  await test.step("a machine is handed over and disappears from its former learner's page", async () => {
    const old = await passwordOf(DEMO_USERS.user)
    const name = await card(DEMO_USERS.user).getByRole('heading').innerText()
    await expect(learner.getByRole('heading', { name })).toBeVisible()
    await open(DEMO_USERS.user, 'Hand Over')
    const form = admin.getByRole('dialog', { name: `Hand Over ${name}` })
    await expect(form).toContainText(`${DEMO_USERS.user} immediately loses access to ${name}`)
    await expect(form.getByLabel('New learner’s e-mail')).toBeFocused()
    await admin.keyboard.press('Enter')
    await expect(form).toContainText('Enter an e-mail address such as name@example.com.')
    await form.getByLabel('New learner’s e-mail').fill('learner@globex.test')
    await form.getByRole('button', { name: 'Hand Over' }).click()
    await expect(admin.getByText('learner@globex.test cannot be added to this organisation.')).toBeVisible()
    await form.getByLabel('New learner’s e-mail').fill(LATER)
    await form.getByRole('button', { name: 'Hand Over' }).click()
    await expect(
      admin.getByText(`${name} now belongs to ${LATER}. It is being restarted with a new password.`),
    ).toBeVisible()
    await expect(form).toBeHidden()
    await expect(card(LATER)).toContainText('Running')
    await expect(learner.getByRole('heading', { name })).toHaveCount(0)
    await admin.reload()
    const newPassword = await passwordOf(LATER)
    expect(newPassword).not.toBe(old)
    await expect.poll(() => portal.acceptsPassword(name, newPassword)).toBe(true)
    expect(await portal.acceptsPassword(name, old)).toBe(false)
    await expect.poll(async () => (await portal.mails()).flatMap(({ to }) => to)).toContain(LATER)
  })
  await learner.context().close()

  await test.step('a machine is reset: it keeps its name and gets a new disk and password', async () => {
    const email = 'second@acme.test'
    const old = await passwordOf(email)
    const name = await open(email, 'Reset')
    const dialog = admin.getByRole('dialog', { name: `Reset ${name}` })
    await expect(dialog).toContainText('and all its data will be deleted, and the machine is created again as ordered')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()
    await open(email, 'Reset')
    await dialog.getByRole('button', { name: 'Reset' }).click()
    await expect(admin.getByText(`${name} is being reset. It will have a new password.`)).toBeVisible()
    const countAtProvider = async () => (await portal.machines()).filter((machine) => machine.name === name).length
    await expect.poll(countAtProvider).toBe(2)
    await expect(card(email)).toContainText('Running')
    await admin.reload()
    expect(await passwordOf(email)).not.toBe(old)
    await expect.poll(() => portal.acceptsPassword(name, old)).toBe(false)
  })

  await test.step('a machine is deleted and stays listed as terminated', async () => {
    const name = await open('third@acme.test', 'Delete')
    const dialog = admin.getByRole('dialog', { name: `Delete ${name}` })
    await expect(dialog).toContainText('The hours used so far stay on the bill')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect(admin.getByText(`${name} is being deleted. Its bill stays.`)).toBeVisible()
    await expect(card('third@acme.test')).toHaveCount(0)
    await expect(admin.getByRole('region', { name: 'Terminated Instances', exact: true })).toContainText(name)
    await expect(card(LATER)).toContainText('Running')
  })
})

test('a learner is not offered these actions', async ({ signedIn }) => {
  const page = await signedIn('user', '/vm/vmdetails?training=Linux+101')
  const card = page.getByRole('list', { name: 'Instances' }).getByRole('listitem').first()
  await card.getByRole('button', { name: /^More actions for/ }).click()
  await expect(page.getByRole('menuitem').first()).toBeVisible()
  for (const name of ['Hand Over', 'Reset', 'Delete']) {
    await expect(page.getByRole('menuitem', { name, exact: true })).toHaveCount(0)
  }
})
