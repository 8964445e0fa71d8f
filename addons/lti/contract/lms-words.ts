/** First part of the path of the pages that an LMS opens. */
export const LTI_PAGE = '/lti'

export const REGISTRATION_HOURS = 24

export const SCORE_BY = ['minutes', 'points'] as const

/** Maximum number of active minutes for the full score of an activity. */
export const SCORE_MINUTES_MAX = 100_000

/** Views of a training that an instructor can put into a course. */
export const LMS_VIEWS = ['training', 'machine', 'class'] as const
export type LmsView = (typeof LMS_VIEWS)[number]

export const LMS_STATES = ['waiting', 'ready', 'suspended'] as const
export type LmsState = (typeof LMS_STATES)[number]

export const LMS = {
  expired: 'This launch has expired or was not started in this browser. Open the activity in your course again.',
  suspended: 'Your organisation has suspended the connection to this LMS. Ask your administrator.',
  incomplete: 'The connection to this LMS is not complete yet. Ask your administrator.',
  unknownAddress:
    'Your LMS opened an address that is incomplete or unknown to this portal. Ask your administrator to compare the addresses in the LMS with those on Connect Your LMS.',
  registrationIncomplete:
    'This registration address is incomplete. Copy the whole address from Connect Your LMS and try again.',
  deployment: (id: string) =>
    `The LMS used the deployment ${id}, which is not accepted yet. Ask your administrator to accept it on Connect Your LMS.`,
  anonymous: 'The LMS did not state who you are. Ask its administrator to allow the tool to identify users.',
  noCourse: 'The LMS did not state a course. Open the activity from within a course.',
  notConnected: (course: string) =>
    `The course ${course} is not connected to a training yet. Ask your administrator to connect it on Connect Your LMS.`,
  adminAccount:
    'This LMS account is linked to an account with more rights, which cannot be opened from an LMS. Log in to the portal directly.',
  logIn:
    'The password of your account was changed. Log in to the portal directly, or ask your administrator to send your e-mail from the LMS, so that you can link your account again.',
  otherSite: 'The LMS sent you to an address that does not belong to this portal. Ask your administrator.',
  ticket: 'This page has expired. Open the activity in your course again.',
} as const
