import { goOn } from './go-on.ts'
import { ACCOUNTS, expect, test } from './test.ts'
import { orderTraining } from './training.ts'

const TRAINING = 'Three by themselves'
const CONSOLE = `/vm/vmdetails?training=${encodeURIComponent(TRAINING)}`
const LATER = 'later@acme.test'

// @covers R21.10
test('an admin hands one machine over, resets one and deletes one, and their learners see what is theirs', async ({
  signedIn,
  portal,
  another,
}) => {
  const admin = await signedIn('admin')
  await orderTraining(admin, TRAINING, [ACCOUNTS.user, 'second@acme.test', 'third@acme.test'])
  await goOn(admin, CONSOLE)
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
    const shown = await card(email).locator('dd', { hasText: 'Hide' }).locator('span').first().innerText()
    return shown.replace(/Hide$/, '')
  }
  const learner = await another(ACCOUNTS.user, CONSOLE)

  await test.step('one is handed over, and leaves the page of who had it', async () => {
    const old = await passwordOf(ACCOUNTS.user)
    const name = await card(ACCOUNTS.user).getByRole('heading').innerText()
    await expect(learner.getByRole('heading', { name })).toBeVisible()
    await open(ACCOUNTS.user, 'Hand Over')
    const form = admin.getByRole('dialog', { name: `Hand Over ${name}` })
    await expect(form).toContainText(`${ACCOUNTS.user} loses ${name} at once`)
    await expect(form.getByLabel('New learner’s e-mail')).toBeFocused()
    await admin.keyboard.press('Enter')
    await expect(form).toContainText('Give an e-mail address such as name@example.com.')
    await form.getByLabel('New learner’s e-mail').fill('learner@globex.test')
    await form.getByRole('button', { name: 'Hand Over' }).click()
    await expect(admin.getByText('learner@globex.test belongs to another organisation.')).toBeVisible()
    await form.getByLabel('New learner’s e-mail').fill(LATER)
    await form.getByRole('button', { name: 'Hand Over' }).click()
    await expect(admin.getByText(`${name} is ${LATER}’s now. It gets a new password and is restarted.`)).toBeVisible()
    await expect(form).toBeHidden()
    await expect(card(LATER)).toContainText('Running')
    await expect(learner.getByRole('heading', { name })).toHaveCount(0, { timeout: 10_000 })
    await admin.reload()
    const own = await passwordOf(LATER)
    expect(own).not.toBe(old)
    await expect.poll(() => portal.letsIn(name, own)).toBe(true)
    expect(await portal.letsIn(name, old)).toBe(false)
    await expect.poll(async () => (await portal.mails()).flatMap(({ to }) => to)).toContain(LATER)
  })
  await learner.context().close()

  await test.step('one is reset: the same machine, another disk and password', async () => {
    const email = 'second@acme.test'
    const old = await passwordOf(email)
    const name = await open(email, 'Reset')
    const dialog = admin.getByRole('dialog', { name: `Reset ${name}` })
    await expect(dialog).toContainText('deleted with all that is on it, and made anew as it was ordered')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()
    await open(email, 'Reset')
    await dialog.getByRole('button', { name: 'Reset' }).click()
    await expect(admin.getByText(`${name} is being reset: it is made anew, with a new password.`)).toBeVisible()
    const lives = async () => (await portal.machines()).filter((machine) => machine.name === name).length
    await expect.poll(lives).toBe(2)
    await expect(card(email)).toContainText('Running')
    await admin.reload()
    expect(await passwordOf(email)).not.toBe(old)
    await expect.poll(() => portal.letsIn(name, old)).toBe(false)
  })

  await test.step('one is deleted, and stays listed as terminated', async () => {
    const name = await open('third@acme.test', 'Delete')
    const dialog = admin.getByRole('dialog', { name: `Delete ${name}` })
    await expect(dialog).toContainText('its hours up to now stay on the bill')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect(admin.getByText(`${name} is being deleted. Its bill stays.`)).toBeVisible()
    await expect(card('third@acme.test')).toHaveCount(0)
    await expect(admin.getByRole('region', { name: 'Terminated Instances', exact: true })).toContainText(name)
    await expect(card(LATER)).toContainText('Running')
  })
})

test('a learner is offered none of it', async ({ signedIn }) => {
  const page = await signedIn('user', '/vm/vmdetails?training=Linux+101')
  const card = page.getByRole('list', { name: 'Instances' }).getByRole('listitem').first()
  await card.getByRole('button', { name: /^More actions for/ }).click()
  await expect(page.getByRole('menuitem').first()).toBeVisible()
  for (const name of ['Hand Over', 'Reset', 'Delete']) {
    await expect(page.getByRole('menuitem', { name, exact: true })).toHaveCount(0)
  }
})
