/** What whoever posts jobs is asked about one. */

/** What is asked before it happens. */
export const JOB_QUESTIONS = {
  delete: {
    title: 'Delete this job?',
    text: 'it goes for good, with its numbers. Nobody can bring it back.',
    confirm: 'Delete job',
    busy: 'Deleting...',
    cancel: 'Keep it',
  },
  fill: {
    title: 'Close this job as filled?',
    text: 'nobody can apply any more. Its page stays, and says that it is filled. You can open it again.',
    confirm: 'Close job',
    busy: 'Closing...',
    cancel: 'Keep it open',
  },
} as const
