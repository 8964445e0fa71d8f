import { changed, desktopOf, digestOf, EMPTY, picture, readClipboard, settled, widthOf } from './desktops.ts'
import { expectNoProblems } from './looks.ts'
import { ACCOUNTS, expect, signIn, test } from './test.ts'

const TRAINING = 'Beside a desktop'
const OF = `?training=${encodeURIComponent(TRAINING)}`

test("an instructor sees a learner's desktop as it is, acts at it with their leave, and is sent away", async ({
  signedIn,
  browser,
  portal,
}) => {
  const page = await signedIn('admin')
  const context = await browser.newContext({ baseURL: portal.url })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const learner = await context.newPage()
  await signIn(learner, ACCOUNTS.user)
  const reply = await page.request.post('/api/azure/machines', {
    headers: { origin: portal.url },
    data: {
      templateName: 'Windows Server 2022',
      trainingName: TRAINING,
      email: [ACCOUNTS.user],
      allocatedHours: null,
      createVmCount: 1,
      guacamole: true,
    },
  })
  expect(reply.ok(), await reply.text()).toBe(true)
  await learner.goto(`/vm/vmdetails${OF}`)
  const card = learner.getByRole('list', { name: 'Instances' }).getByRole('listitem')
  await expect(card.getByRole('button', { name: /^Copy the public address of/ })).toBeVisible()
  const opening = context.waitForEvent('page')
  await card.getByRole('button', { name: /^Web-based access to/ }).click()
  const own = await opening
  await expect(own.getByText('Instructors ask you before they see this screen.')).toBeVisible()
  await changed(own, await digestOf(own, EMPTY))
  await own.keyboard.type('seen ')

  await page.goto(`/vm/class${OF}`)
  const watch = page.getByRole('button', { name: `Watch the screen of ${ACCOUNTS.user}` })
  await expect(watch).not.toHaveAttribute('aria-disabled')
  const coming = page.context().waitForEvent('page')
  await watch.click()
  const beside = await coming
  await expect(beside.getByRole('status').first()).toHaveText(`${ACCOUNTS.user} is asked whether you may watch.`)
  await own.getByRole('button', { name: 'Allow' }).click()
  await expect(own.getByText(`${ACCOUNTS.admin} watches this screen.`)).toBeVisible()
  await expect(desktopOf(beside)).toBeVisible()
  /** Both see the very same picture. */
  const alike = async () => {
    const seen = await settled(own)
    await expect.poll(() => picture(beside)).toBe(seen)
    return seen
  }

  await test.step('the picture of before they came is seen, and so is each later one', async () => {
    await alike()
    await expectNoProblems(beside, [
      [1440, 'light'],
      [390, 'dark'],
    ])
    await expectNoProblems(own, [[1440, 'dark']])
    await own.getByRole('textbox', { name: /^Keyboard of / }).focus()
    await own.keyboard.type('then ')
    await alike()
  })

  await test.step('it follows the size of the learner’s window', async () => {
    await own.setViewportSize({ width: 900, height: 700 })
    await expect.poll(() => widthOf(beside)).toBe(900)
    await alike()
  })

  await test.step('the keyboard is asked for, given, and handed back', async () => {
    const before = await settled(own)
    await beside.getByRole('button', { name: 'Ask for the keyboard' }).click()
    await own.getByRole('button', { name: 'Give the keyboard' }).click()
    await expect(beside.getByText('You have the keyboard.')).toBeVisible()
    await own.getByRole('textbox', { name: /^Keyboard of / }).focus()
    await own.keyboard.type('lost ')
    await beside.getByRole('textbox', { name: /^Keyboard of / }).focus()
    await beside.keyboard.type('shown')
    await changed(own, before)
    await alike()
    await beside.getByRole('button', { name: 'Hand the keyboard back' }).click()
    await expect(own.getByText(`${ACCOUNTS.admin} watches this screen.`)).toBeVisible()
    await own.getByRole('textbox', { name: /^Keyboard of / }).focus()
    // Keys typed beside may still be on their way to the machine.
    const copied = async () => {
      await own.keyboard.press('Control+c')
      return readClipboard(own)
    }
    await expect.poll(copied).toBe('seen then shown')
  })

  await test.step('the learner takes their consent back', async () => {
    await own.getByRole('button', { name: 'Stop watching' }).click()
    await expect(beside.getByRole('alert')).toHaveText(`${ACCOUNTS.user} does not want to be watched any more.`)
    await expect(desktopOf(beside)).toBeHidden()
    await own.keyboard.type('!')
  })
  await context.close()
})
