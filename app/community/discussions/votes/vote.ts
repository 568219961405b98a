/** Votes on threads and comments: their limits, the sentences for refused ones, and what pressing an arrow does. */

/** All untrusted votes together count for at most this many in the order of lists, up or down. */
export const UNTRUSTED_WEIGHT = 3
/** How many visitors from one network can vote on a post within a day. */
export const VOTERS_PER_NETWORK = 5
/** If more visitors vote on a post in this time, their votes wait for a moderator. */
export const SURGE = { votes: 12, minutes: 10 }

export const VOTES = [-1, 0, 1] as const
export type Vote = (typeof VOTES)[number]

export const VOTE_REFUSALS = {
  ownPost: 'You can’t vote on your own post',
  enoughVoters:
    'Enough visitors from your network have voted here today. Log in with a confirmed email and your vote counts.',
  employerVotes: 'Employers can’t vote here',
} as const

export interface Ballot {
  score: number
  vote: Vote
}

/** Pressing the arrow again takes the vote back. */
export const pressed = (vote: Vote, arrow: 1 | -1): Vote => (vote === arrow ? 0 : arrow)

/** The score with `vote` in place of the earlier one. */
export const votedAs = ({ score, vote: before }: Ballot, vote: Vote): Ballot => ({
  score: score - before + vote,
  vote,
})
