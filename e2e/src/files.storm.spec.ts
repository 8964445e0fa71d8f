import { createHash, randomBytes } from 'node:crypto'
import { openClassSettings } from './class-settings.ts'
import { buffer } from 'node:stream/consumers'
import { axeProblems } from './axe.ts'
import { navigate } from './navigate.ts'
import { waitForPaint } from './screens.ts'
import { DEMO_USERS, expect, test } from './test.ts'
import { orderTraining } from './training.ts'

const TRAINING = 'Files in the browser'

test('uploads a file with progress across a lost connection, downloads it unchanged, and lets the admin forbid it', async ({
  signedIn,
  context,
  portal,
}) => {
  const page = await signedIn('admin')
  await orderTraining(page, TRAINING, [DEMO_USERS.user], { guacamole: true })
  await navigate(page, `/vm/vmdetails?training=${encodeURIComponent(TRAINING)}`)
  const card = page.getByRole('list', { name: 'Instances' }).getByRole('listitem')
  await expect(card.getByRole('button', { name: /^Copy the public address of/ })).toBeVisible()
  const machine = await card.getByRole('heading').innerText()
  const opening = context.waitForEvent('page')
  await card.getByRole('button', { name: `Web-based access to ${machine}` }).click()
  const tab = await opening
  await expect(tab.getByRole('status')).toHaveText('Connected as learner')

  const bytes = randomBytes(3 * 1024 * 1024 + 77)
  const files = tab.getByRole('region', { name: `Files of ${machine}` })
  const line = files.getByRole('list', { name: 'Transfers' }).getByRole('listitem').first()

  await test.step('the panel opens by keyboard and lists the home folder of the account', async () => {
    const button = tab.getByRole('button', { name: 'Files', exact: true })
    await button.focus()
    await button.press('Enter')
    await expect(button).toHaveAttribute('aria-expanded', 'true')
    await expect(files.getByLabel('Folder')).toHaveValue('/home/learner')
    await expect(files.getByRole('list', { name: 'Contents of /home/learner' })).toContainText('README.txt')
  })

  await test.step('an upload shows its progress, and resumes after a lost reply and after the portal was killed', async () => {
    let uploadedParts = 0
    await tab.route('**/api/remote/transfers/*/*', async (route) => {
      uploadedParts += 1
      // The second piece is lost, and the portal is killed at the fourth. The page waits and sends them again.
      if (uploadedParts === 2) return route.abort('connectionreset')
      if (uploadedParts === 4) await portal.crash()
      return route.continue()
    })
    await files.getByLabel('Upload files here').setInputFiles({ name: 'data.bin', mimeType: 'a/b', buffer: bytes })
    await expect(files.getByRole('progressbar', { name: 'Progress of data.bin' })).toBeVisible()
    await expect(line).toContainText('data.bin Upload: Done.')
    expect(uploadedParts).toBeGreaterThanOrEqual(6)
  })

  await test.step('the shell ended with the portal; the page opens a new one, which reports the same checksum', async () => {
    await expect(tab.getByRole('region', { name: `Terminal of ${machine}` })).toContainText(
      'The earlier shell has ended. This is a new one.',
    )
    await expect(tab.getByRole('status').filter({ hasText: 'Connected as learner' })).toBeVisible()
    const hash = createHash('sha256').update(bytes).digest('hex')
    await tab.getByRole('region', { name: `Terminal of ${machine}` }).click()
    await tab.keyboard.type('clear; sha256sum data.bin\n')
    await expect(tab.getByRole('region', { name: `Terminal of ${machine}` })).toContainText(hash.slice(0, 40))
  })

  await test.step('axe finds no problems, wide and light, small and dark', async () => {
    for (const [width, colorScheme] of [
      [1440, 'light'],
      [390, 'dark'],
    ] as const) {
      await tab.setViewportSize({ width, height: 844 })
      await tab.emulateMedia({ colorScheme })
      await waitForPaint(tab)
      expect(await axeProblems(tab)).toEqual([])
      if (process.env['FILES_PICTURES']) await tab.screenshot({ path: `${process.env['FILES_PICTURES']}-${width}.png` })
    }
    await tab.setViewportSize({ width: 1440, height: 900 })
  })

  await test.step('the downloaded file is equal', async () => {
    const saving = tab.waitForEvent('download')
    await files.getByRole('button', { name: 'Download data.bin' }).click()
    const saved = await saving
    expect(saved.suggestedFilename()).toBe('data.bin')
    expect((await buffer(await saved.createReadStream())).equals(bytes)).toBe(true)
    await expect(line).toContainText('data.bin Download: Done.')
  })

  await test.step('uploading the same name again asks first, and replaces the file', async () => {
    const dataTransfer = await tab.evaluateHandle((text) => {
      const dropped = new DataTransfer()
      dropped.items.add(new File([text], 'data.bin'))
      return dropped
    }, 'dropped')
    await files.dispatchEvent('drop', { dataTransfer })
    await expect(line.getByRole('alert')).toHaveText(/already exists/)
    await line.getByRole('button', { name: 'Replace data.bin' }).click()
    await expect(line).toContainText('data.bin Upload: Done.')
  })

  await test.step('the admin forbids file transfers, and the page says so', async () => {
    await navigate(page, `/vm/class?training=${encodeURIComponent(TRAINING)}`)
    await openClassSettings(page, 'Files')
    const dialog = page.getByRole('dialog', { name: 'Files in the browser' })
    await dialog.getByRole('switch', { name: 'Learners and instructors can transfer files' }).uncheck()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('status').filter({ hasText: 'no longer be transferred' })).toBeVisible()
    await files.getByRole('button', { name: 'Download data.bin' }).click()
    await expect(files.getByRole('alert')).toHaveText(/are not allowed in Files in the browser/)
  })
})
