import { clicks } from './clicks.ts'
import { navigate } from './navigate.ts'
import { expect, test } from './test.ts'
import { orderTraining } from './training.ts'

const TRAINING = 'Few clicks'

test('announcing takes two clicks, stopping all two, replacing a learner four, and seeing why a machine fails one', async ({
  signedIn,
  portal,
}) => {
  const page = await signedIn('admin')
  await orderTraining(page, TRAINING, ['asha@acme.test', 'vikram@acme.test'])
  await navigate(page, `/vm/class?training=${encodeURIComponent(TRAINING)}`)
  const seats = page.getByRole('list', { name: 'Learners' }).getByRole('listitem')
  await expect(page.getByRole('button', { name: 'Running 2', exact: true })).toBeVisible()
  const counted = await clicks(page)

  await test.step('announce', async () => {
    await page.getByRole('button', { name: 'Announce', exact: true }).click()
    await page.getByLabel('Text').fill('We go on at 11:10.')
    await page.getByRole('button', { name: 'Announce to the class' }).click()
    await expect(page.getByRole('main')).toContainText(/Announced until \d\d:\d\d: We go on at 11:10/)
    expect(await counted()).toBe(2)
  })

  await test.step('replace a learner', async () => {
    await seats.filter({ hasText: 'vikram' }).getByRole('button').click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^More actions for / })
      .click()
    await page.getByRole('menuitem', { name: 'Hand Over' }).click()
    await page.getByLabel('New learner’s e-mail').fill('substitute@acme.test')
    await page.getByRole('button', { name: 'Hand Over', exact: true }).click()
    await expect(page.getByRole('dialog', { name: /^Hand Over/ })).toBeHidden()
    await page.keyboard.press('Escape')
    await expect(seats.filter({ hasText: 'substitute' })).toHaveCount(1)
    expect(await counted()).toBe(4)
  })

  await test.step('stop all', async () => {
    await expect(page.getByRole('button', { name: 'Running 2', exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Stop all' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop all' }).click()
    await expect(page.getByRole('button', { name: /^Running / })).toHaveCount(0)
    expect(await counted()).toBe(2)
  })

  await test.step('see from Home why a machine fails', async () => {
    await portal.postToEmulator('/_faults', { kind: 'refuseCapacity', operation: 'VirtualMachines_Start' })
    await seats.first().getByRole('button').click()
    const seat = page.getByRole('dialog')
    await seat.getByRole('button', { name: /^Power On / }).click()
    await expect(seat).toContainText('Failing')
    await page.keyboard.press('Escape')
    await expect(seat).toBeHidden()
    await navigate(page, '/')
    const line = page.getByRole('region', { name: 'Needs you' }).getByRole('listitem').filter({ hasText: TRAINING })
    await expect(line).toBeVisible()
    await counted()
    await line.getByRole('link').click()
    await expect(page.getByRole('main')).toContainText(/Azure .*capacity/)
    expect(await counted()).toBe(1)
    await page.request.delete(`${portal.emulatorUrl}/_faults`)
  })
})
