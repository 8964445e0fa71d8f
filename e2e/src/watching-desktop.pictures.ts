import { watchDesktop } from './watch-desktop.ts'
import { waitForStablePicture } from './desktops.ts'
import { takePicture } from './picture.ts'
import { expect, test } from './test.ts'

const TRAINING = 'Beside a desktop'

test('captures a desktop while an instructor watches it, as the learner and as the instructor see it', async ({
  signedIn,
  browser,
  portal,
}) => {
  const page = await signedIn('admin')
  const { learnerTab, watcher, close } = await watchDesktop(page, browser, portal, TRAINING)
  await waitForStablePicture(learnerTab)
  await takePicture(learnerTab, 'desktop.wide.light')
  await waitForStablePicture(watcher)
  await takePicture(watcher, 'watching-a-desktop.wide.light')
  await watcher.getByRole('button', { name: 'Ask for the keyboard' }).click()
  await learnerTab.getByRole('button', { name: 'Give the keyboard' }).waitFor()
  await learnerTab.emulateMedia({ colorScheme: 'dark' })
  await takePicture(learnerTab, 'asked-for-the-keyboard.wide.dark')
  await close()

  // Delete the training: other screenshots show the learner with a single machine.
  const superadmin = await signedIn('superadmin')
  const removed = await superadmin.request.delete('/api/azure/killTraining', {
    headers: { origin: portal.url },
    params: { organization: 'Acme Learning', trainingName: TRAINING },
  })
  expect(removed.ok(), await removed.text()).toBe(true)
  await superadmin.goto(`/vm/vmdetails?organization=Acme+Learning&training=${encodeURIComponent(TRAINING)}`)
  await expect(superadmin.getByText('Terminated').first()).toBeVisible()
})
