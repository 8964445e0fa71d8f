import { watchDesktop } from './beside.ts'
import { settled as painted } from './desktops.ts'
import { takePicture } from './picture.ts'
import { expect, test } from './test.ts'

const TRAINING = 'Beside a desktop'

/** A desktop as its learner has it while somebody watches, and as they see it. */
test('of a desktop and of who watches it', async ({ signedIn, browser, portal }) => {
  const page = await signedIn('admin')
  const { own, beside, close } = await watchDesktop(page, browser, portal, TRAINING)
  await painted(own)
  await takePicture(own, 'desktop.wide.light')
  await painted(beside)
  await takePicture(beside, 'watching-a-desktop.wide.light')
  await beside.getByRole('button', { name: 'Ask for the keyboard' }).click()
  await own.getByRole('button', { name: 'Give the keyboard' }).waitFor()
  await own.emulateMedia({ colorScheme: 'dark' })
  await takePicture(own, 'asked-for-the-keyboard.wide.dark')
  await close()

  // The learner of other pictures has one machine.
  const superadmin = await signedIn('superadmin')
  const removed = await superadmin.request.delete('/api/azure/killTraining', {
    headers: { origin: portal.url },
    params: { organization: 'Acme Learning', trainingName: TRAINING },
  })
  expect(removed.ok(), await removed.text()).toBe(true)
  await superadmin.goto(`/vm/vmdetails?organization=Acme+Learning&training=${encodeURIComponent(TRAINING)}`)
  await expect(superadmin.getByText('Terminated').first()).toBeVisible()
})
