/** Those who may watch one screen, a terminal or a desktop, at once. */
export const WATCHERS_PER_TERMINAL = 10
/** Seconds in which a learner may answer who asks to watch. */
export const WATCH_ASK_SECONDS = 120
/** Seconds in which somebody who was refused does not ask that learner again. */
export const WATCH_REFUSED_SECONDS = 60

/** The sentences about watching a learner's screen, and why it does not begin, or ended. */
export const WATCHING = {
  /** At the learner's door. */
  unasked: 'Your instructors may watch this screen without asking you. Their names stand here while they do.',
  asked: 'Instructors ask you before they see this screen.',
  setAsk: 'Learners will be asked before anybody watches their screen.',
  setUnasked:
    'Instructors may watch without asking. Learners are told so when they connect; who is connected now is still asked.',
  notConnected: (learner: string) =>
    `${learner} has no machine open in the browser. You can watch once they have connected.`,
  full: `${WATCHERS_PER_TERMINAL} people watch this screen or ask to already. Try again when one of them has left.`,
  again: 'The learner said no a moment ago. Ask again in a minute.',
  already: 'You watch this screen already, or ask to, in another tab.',
  elsewhere:
    'The part of the portal that holds this screen cannot be reached from here. Ask whoever runs the portal to set PEER_URL.',
  waiting: (learner: string) => `${learner} is asked whether you may watch.`,
  refused: (learner: string) => `${learner} does not want to be watched.`,
  unanswered: (learner: string) => `${learner} did not answer.`,
  consentTakenBack: (learner: string) => `${learner} does not want to be watched any more.`,
  closed: (learner: string) => `${learner} closed the machine in their browser.`,
  /** Nobody would tell the learner who watches. */
  notTold: (learner: string) => `The page of ${learner} does not answer. Try again in a moment.`,
  notShown: 'The picture of this desktop could not be shown. Watch again.',
  left: 'Whoever watched left.',
} as const
