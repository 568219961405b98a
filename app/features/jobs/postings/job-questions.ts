/** What whoever posts jobs is asked about one. */

/** What is asked before it happens. */
export const JOB_QUESTIONS = {
  delete: {
    title: 'Delete this job?',
    text: 'it goes for good, with its numbers. Nobody can bring it back.',
    no: 'Keep it',
    yes: 'Delete job',
    busy: 'Deleting...',
  },
  fill: {
    title: 'Close this job as filled?',
    text: 'nobody can apply any more. Its page stays, and says that it is filled. You can open it again.',
    no: 'Keep it open',
    yes: 'Close job',
    busy: 'Closing...',
  },
} as const
