import { navigate } from './navigate.ts'
import { DEMO_USERS, expect, test } from './test.ts'

const CARD = 'Linux 101 as it was'
const TRAINING = 'Copies of Linux 101'
const CONSOLE = '/vm/vmdetails?training=Linux+101'

test('an admin snapshots a stopped machine, a superadmin creates a card from it, and an ordered machine has its own password', async ({
  signedIn,
  portal,
  newPageAs,
}) => {
  const admin = await signedIn('admin', CONSOLE)
  const cards = admin.getByRole('list', { name: 'Instances' }).getByRole('listitem')
  const source = cards.first()
  await expect(source).toContainText(/Running|Stopped/)
  const name = await source.getByRole('heading').innerText()
  const actions = admin.getByRole('group', { name: 'With the selected instances' })
  const snapshot = actions.getByRole('button', { name: 'Snapshot' })
  const passwordOf = async (machine: typeof source) => {
    await machine.getByRole('button', { name: /^Show the password of/ }).click()
    return machine.locator('dd', { hasText: 'Hide' }).locator('span').first().innerText()
  }
  let password = ''

  await test.step('a snapshot needs exactly one machine, which must be stopped', async () => {
    await expect(snapshot).toBeDisabled()
    await expect(snapshot).toHaveAccessibleDescription('No VMs selected')
    await admin.getByLabel(`Select ${name}`).check()
    if (await source.getByRole('button', { name: `Power Off ${name}` }).isVisible()) {
      await expect(snapshot).toHaveAccessibleDescription(
        `Stop ${name} first. An image can be created only from a stopped machine.`,
      )
      await source.getByRole('button', { name: `Power Off ${name}` }).click()
    }
    await expect(source).toContainText('Stopped')
    password = (await passwordOf(source)).replace(/Hide$/, '')
    await snapshot.click()
    await expect(admin.getByText('Creation of Image in Progress')).toBeVisible()
  })

  const superadmin = await newPageAs(DEMO_USERS.superadmin, '/overview')
  await test.step('the image is listed and can be selected for a card', async () => {
    const images = superadmin.getByRole('region', { name: 'Images', exact: true })
    await expect(images.getByRole('row', { name }).first()).toContainText('Ready')
    await superadmin.getByRole('button', { name: 'Create VM Card' }).click()
    const form = superadmin.getByRole('dialog', { name: 'Create VM Card' })
    await form.getByLabel('Template Name').fill(CARD)
    await form.getByLabel('OS', { exact: true }).selectOption('Windows')
    const choice = form.getByLabel('Image of a machine')
    const label = await choice.getByRole('option', { name: new RegExp(`^${name} of`) }).innerText()
    await choice.selectOption(label)
    await expect(form).toContainText('This card can be assigned only to Acme Learning')
    await expect(form.getByLabel('Image ID')).toHaveValue(/\/galleries\/.*\/versions\/1\.0\.0$/)
    await expect(form.getByLabel('OS', { exact: true })).toHaveValue('Linux')
    await expect(form.getByLabel('Location')).toHaveValue('southindia')
    await form.getByLabel('Rate').fill('12')
    await form.getByLabel('Resource Group').fill('trainyard-labs')
    await form.getByLabel('VNet').fill('trainyard-labs-net')
    for (const field of ['CPU', 'Memory', 'Storage', 'Disk'])
      await form.getByLabel(field, { exact: true }).fill('as the source')
    await form.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(superadmin.getByRole('table', { name: 'Template', exact: true })).toContainText(CARD)
  })

  await test.step('the card can be assigned only to the organisation of the machine', async () => {
    for (const [organisation, outcome] of [
      ['Globex Academy', 'can be assigned only to'],
      ['Acme Learning', `Template ${CARD} assigned to Acme Learning.`],
    ] as const) {
      await superadmin.getByRole('button', { name: 'Assign VM Card' }).click()
      const form = superadmin.getByRole('dialog', { name: 'Assign VM Card' })
      await form.getByLabel('Organization').selectOption(organisation)
      await form.getByRole('checkbox', { name: CARD }).check()
      await form.getByRole('button', { name: 'Assign', exact: true }).click()
      await expect(superadmin.getByText(outcome).first()).toBeVisible()
      if (await form.isVisible()) await form.getByRole('button', { name: 'Cancel' }).click()
      await expect(form).toBeHidden()
    }
  })
  await superadmin.context().close()

  await test.step('a machine ordered from the card runs and accepts only its own password', async () => {
    await navigate(admin, '/createvm')
    await admin.getByRole('button', { name: CARD }).click()
    const form = admin.getByRole('dialog', { name: 'Order VMs' })
    await form.getByLabel('Training Name').fill(TRAINING)
    await form.getByRole('textbox', { name: 'Email IDs' }).fill(DEMO_USERS.user)
    await form.getByRole('textbox', { name: 'Email IDs' }).press('Enter')
    await form.getByRole('button', { name: 'Submit' }).click()
    await admin.getByRole('button', { name: 'Create 1 VM' }).click()
    await admin.getByRole('link', { name: `Watch ${TRAINING} in the Virtual Lab Console` }).click()
    await expect(cards).toHaveCount(1)
    await expect(source).toContainText('Running')
    const clone = await source.getByRole('heading').innerText()
    const ownPassword = (await passwordOf(source)).replace(/Hide$/, '')
    expect(ownPassword).not.toBe(password)
    expect(await portal.acceptsPassword(clone, ownPassword)).toBe(true)
    expect(await portal.acceptsPassword(clone, password)).toBe(false)
  })
})

test('a learner cannot create snapshots', async ({ signedIn }) => {
  const page = await signedIn('user', CONSOLE)
  await expect(page.getByRole('group', { name: 'With the selected instances' }).getByRole('button')).not.toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Snapshot' })).toHaveCount(0)
})
