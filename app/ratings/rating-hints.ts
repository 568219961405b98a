/** What each number of stars means, so that three stars mean much the same to everyone. */
import type { RatingCategory } from '#app/companies/company.ts'
import type { Stars } from './rating.ts'

export const RATING_HINTS: Record<
  RatingCategory,
  { question: string; stars: Record<Stars, string> }
> = {
  rto: {
    question: 'Are the rules about where you work clear, fair and followed?',
    stars: {
      1: 'Everyone must come in, whatever the job or their life, and it’s checked.',
      2: 'The rule is strict or keeps changing, and exceptions depend on who you know.',
      3: 'There’s a rule you can live with. Some teams bend it, some don’t.',
      4: 'The rule is clear and fair, and there’s leeway when you need it.',
      5: 'You and your team choose where you work, and no one holds it against you.',
    },
  },
  dei: {
    question: 'Who gets hired, heard and promoted, and who has to fit in?',
    stars: {
      1: 'People are treated worse for who they are, and nothing comes of saying so.',
      2: 'One kind of person gets ahead. Everyone else is there for the photos.',
      3: 'Mostly fair day to day, but the higher up, the more alike people are.',
      4: 'All kinds of people get hired, heard and promoted, and gaps are talked about.',
      5: 'Pay, chances and respect don’t depend on who you are, and it shows at the top.',
    },
  },
  workLife: {
    question: 'Does the workday end, and does anyone mind when it does?',
    stars: {
      1: 'Evenings and weekends belong to work, and saying no has consequences.',
      2: 'Long weeks are usual, and time off is interrupted or has to be defended.',
      3: 'Busy times come and go; most weeks end roughly when they should.',
      4: 'Hours are reasonable, holidays are real, and extra work is made up for.',
      5: 'The work fits the hours, and people are trusted to arrange them.',
    },
  },
  culture: {
    question: 'How do people treat each other when no one’s watching?',
    stars: {
      1: 'Fear, blame or bullying is a normal part of the week.',
      2: 'People look out for themselves. Bad news gets hidden and credit gets taken.',
      3: 'Decent colleagues, but a lot depends on which team you land in.',
      4: 'People help each other, and you can disagree and be heard.',
      5: 'Honest and kind, even under pressure. You’d bring a friend here.',
    },
  },
}
