/** What each number of stars means, so that two people who give three mean much the same. */
import type { RatingCategory } from '#app/companies/company.ts'
import type { Stars } from './rating.ts'

/** What a category asks, and what one star up to five say. */
export const RATING_HINTS: Record<
  RatingCategory,
  { question: string; stars: Record<Stars, string> }
> = {
  rto: {
    question: 'Are the rules about where to work clear, fair and kept?',
    stars: {
      1: 'Everybody must come, whatever the work or the life, and it is checked.',
      2: 'The rule is strict or keeps changing, and exceptions depend on whom you know.',
      3: 'There is a rule that one can live with; some teams bend it, some do not.',
      4: 'The rule is clear and fair, and there is room when you need it.',
      5: 'You and your team choose where you work, and nobody holds it against you.',
    },
  },
  dei: {
    question: 'Who gets hired, heard and promoted, and who has to fit in?',
    stars: {
      1: 'People are treated worse for who they are, and nothing comes of saying so.',
      2: 'One kind of person rises; the others are welcome in the photographs.',
      3: 'Mostly fair day to day, but the higher up, the more alike people are.',
      4: 'People of many kinds are hired, heard and promoted; gaps are talked about.',
      5: 'Pay, chances and respect do not depend on who you are, and it shows at the top.',
    },
  },
  workLife: {
    question: 'Does the work end, and does anybody mind when it does?',
    stars: {
      1: 'Evenings and weekends belong to work, and saying no has consequences.',
      2: 'Long weeks are usual, and time off is interrupted or has to be defended.',
      3: 'Busy times come and go; most weeks end roughly when they should.',
      4: 'Hours are reasonable, holidays are real, and extra work is made up for.',
      5: 'The work fits into its hours, and people are trusted to arrange them.',
    },
  },
  culture: {
    question: 'How do people treat each other when nobody is presenting?',
    stars: {
      1: 'Fear, blame or bullying is a normal part of the week.',
      2: 'People look after themselves; bad news is hidden and credit is taken.',
      3: 'Decent colleagues, and much depends on which team you land in.',
      4: 'People help each other, and you can disagree and be heard.',
      5: 'Honest and kind, also under pressure; you would bring a friend here.',
    },
  },
}
