import { UNDO_HEADER } from '@trainyard/platform/contract/words/limits.ts'
import { expect, test } from './test.ts'

const CONSOLE = '/vm/vmdetails?training=Linux+101'

test('a power-off can be undone in time, and is sent when the page is closed', async ({ signedIn, portal }) => {
  const page = await signedIn('admin', CONSOLE)
  const card = page.getByRole('list', { name: 'Instances' }).getByRole('listitem').first()
  await expect(card).toContainText(/Running|Stopped/)
  const name = await card.getByRole('heading').innerText()
  const truth = async () => (await portal.machines()).find((machine) => machine.name === name && machine.exists)?.power
  if ((await card.innerText()).includes('Stopped')) {
    await card.getByRole('button', { name: `Power On ${name}` }).click()
    await expect(card).toContainText('Running')
  }
  const powerOff = card.getByRole('button', { name: `Power Off ${name}` })
  const sent = page.waitForRequest((request) => request.method() === 'PATCH')
  await powerOff.click()
  // The body is the one in the specification. A header requests the undo.
  expect((await sent).postDataJSON()).toEqual([{ operation: 0 }, { name, resourceGroup: expect.any(String) }])
  expect((await sent).headers()[UNDO_HEADER]).toBe('1')
  await expect(card).toContainText('Stopping')
  await expect(page.getByText('VM Stop in Process, Please wait for 10 secs before trying again')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(`${name} keeps running.`)).toBeVisible()
  await expect(card).toContainText('Running')
  await expect(page.getByRole('button', { name: 'Undo' })).toBeHidden()
  expect(await truth()).toBe('running')

  await powerOff.click()
  await expect(card).toContainText('Stopping')
  await page.close()
  await expect.poll(truth).toMatch(/deallocat/)
})
