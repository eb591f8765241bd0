<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1">
<context>
    <name>AboutDialog</name>
    <message><location filename="../../annotator/ui/dialogs/about.py"/><source>About annotator</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/about.py"/><source>Draw box tracks, point tracks and segments on real video with real sound. MIT licence. Nothing you do here leaves your machine.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/about.py"/><source>Licence and use</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/about.py"/><source>Part</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/about.py"/><source>Parts and licences</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/about.py"/><source>Version</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ActionTable</name>
    <message><location filename="../../annotator/ui/action_table.py"/><source>As in</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>Acts</name>
    <message><location filename="../../annotator/ui/lead/acts.py"/><source>Adopt</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/acts.py"/><source>Adopt…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/acts.py"/><source>Assign</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/acts.py"/><source>Assign…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/acts.py"/><source>Close</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/acts.py"/><source>Close…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/acts.py"/><source>Everything handed in for this task counts already.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/acts.py"/><source>Give the chosen tasks to somebody</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/acts.py"/><source>Let them come sooner or later</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/acts.py"/><source>Let them wait at a stage again</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/acts.py"/><source>New round…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/acts.py"/><source>Open a round</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/acts.py"/><source>Prioritise</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/acts.py"/><source>Priority…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/acts.py"/><source>Reopen</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/acts.py"/><source>Reopen…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/acts.py"/><source>Send complete ones round again</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/acts.py"/><source>Take back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/acts.py"/><source>Take back…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/acts.py"/><source>Take them for complete as they are</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/acts.py"/><source>Take them from whoever has them</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/acts.py"/><source>Take them out of the work</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/acts.py"/><source>Take what came late or unasked for the result of its stage</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/acts.py"/><source>They are out of the work until they are reopened; nothing is lost.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/acts.py"/><source>They count as complete, as they were last handed in.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/acts.py"/><source>They wait at a stage again, for anybody who may take them.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/acts.py"/><source>They wait in their queue again; the drafts are kept.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/acts.py"/><source>What {name} handed in at {when} counts; the stages after it follow again.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/acts.py"/><source>Withdraw</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/acts.py"/><source>Withdraw…</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>AddDialog</name>
    <message><location filename="../../annotator/ui/lead/adding.py"/><source>Add</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/adding.py"/><source>Add many videos</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/adding.py"/><source>Facts about them</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/adding.py"/><source>Videos</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>AgreementBox</name>
    <message><location filename="../../annotator/ui/lead/agreement_box.py"/><source>Agreement</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/agreement_box.py"/><source>All but single items</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/agreement_box.py"/><source>Cancel</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/agreement_box.py"/><source>Check a file</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/agreement_box.py"/><source>Check a file…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/agreement_box.py"/><source>Export CSV…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/agreement_box.py"/><source>Export “Agreement” as CSV</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/agreement_box.py"/><source>Figures (*.csv *.json)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/agreement_box.py"/><source>Of</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/agreement_box.py"/><source>Of decided tasks. From and to: the interval of 95 %, by bootstrap over items.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/agreement_box.py"/><source>Search</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/agreement_box.py"/><source>Task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/agreement_box.py"/><source>Work out again what a file of figures tells</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/agreement_box.py"/><source>Work out agreement</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/agreement_box.py"/><source>{n} damaged or foreign votes do not count: “annotator check” names them</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/agreement_box.py"/><source>{n} of {all}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/agreement_box.py"/><source>{task}: an answer took {seconds:.1f} s in the median</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/agreement_box.py"/><source>{task}: nothing is decided yet</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/agreement_box.py"/><source>{task}: worked out</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>AnswersPage</name>
    <message><location filename="../../annotator/ui/lead/answers_page.py"/><source>Agreement</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers_page.py"/><source>Answers</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers_page.py"/><source>From</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers_page.py"/><source>From and to: the interval of 95 %, by Wilson's method.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers_page.py"/><source>Items</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers_page.py"/><source>Items and people</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers_page.py"/><source>Known answers, by person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers_page.py"/><source>Open answers</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers_page.py"/><source>Person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers_page.py"/><source>Purpose</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers_page.py"/><source>Reason</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers_page.py"/><source>Right</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers_page.py"/><source>Share</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers_page.py"/><source>Single items</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers_page.py"/><source>Standing</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers_page.py"/><source>Task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers_page.py"/><source>To</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers_page.py"/><source>Why items were discarded</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers_page.py"/><source>all</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>Assembly</name>
    <message><location filename="../../annotator/ui/assembly.py"/><source>Changes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/assembly.py"/><source>Comments</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/assembly.py"/><source>Task</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>AssignDialog</name>
    <message><location filename="../../annotator/ui/lead/act_dialogs.py"/><source>&amp;Person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/act_dialogs.py"/><source>&amp;Reason</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/act_dialogs.py"/><source>Recorded with the reason. Nobody ever judges their own work.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/act_dialogs.py"/><source>Set roles and the rule of one stage each aside</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/act_dialogs.py"/><source>Why? It is recorded.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>BackupsDialog</name>
    <message><location filename="../../annotator/ui/dialogs/backups.py"/><source>Backups</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/backups.py"/><source>Choose a backup to go on with. The damaged file is kept beside it.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/backups.py"/><source>The project is damaged</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/backups.py"/><source>There is no backup of it.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/backups.py"/><source>Use this backup</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/backups.py"/><source>{path} cannot be opened: {reason}</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>BenchmarkTables</name>
    <message><location filename="../../annotator/ui/lead/benchmark_tables.py"/><source>Tables of the benchmark</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>BoardPage</name>
    <message><location filename="../../annotator/ui/lead/board_page.py"/><source>Board</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board_page.py"/><source>Export CSV…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board_page.py"/><source>History</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board_page.py"/><source>History of the video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board_page.py"/><source>Look at it</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board_page.py"/><source>Open the task in the window without taking it</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board_page.py"/><source>Tasks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board_page.py"/><source>{n:,} of {all:,} chosen</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>BoxEditor</name>
    <message><location filename="../../annotator/ui/forms/box_field.py"/><source>Drag a box round it on frame {n}; it belongs there.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/box_field.py"/><source>Drag a box round it.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/box_field.py"/><source>Drag a box round it; the arrows step to the right frame.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/box_field.py"/><source>Draw in the picture</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/box_field.py"/><source>Frame {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/box_field.py"/><source>Go to the frame of the box</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/box_field.py"/><source>Height</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/box_field.py"/><source>Left</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/box_field.py"/><source>Put one in the middle</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/box_field.py"/><source>Take the box away</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/box_field.py"/><source>The box belongs on frame {n}. Draw it there.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/box_field.py"/><source>Top</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/box_field.py"/><source>Width</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>CanvasView</name>
    <message><location filename="../../annotator/ui/canvas/view.py"/><source>Picture</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/view.py"/><source>This side shows what was before. Change the other one.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ChangeRows</name>
    <message><location filename="../../annotator/ui/review/change_rows.py"/><source>Accepted</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_rows.py"/><source>Frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_rows.py"/><source>Goes back: {why}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_rows.py"/><source>Not judged</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_rows.py"/><source>What changed</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ChangesPanel</name>
    <message><location filename="../../annotator/ui/review/changes_panel.py"/><source>Changes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/changes_panel.py"/><source>Compare with</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/changes_panel.py"/><source>Nothing has been handed in for this task yet, so there is nothing to compare with.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/changes_panel.py"/><source>Nothing is different.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/changes_panel.py"/><source>Open a task to see what changed in it.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/changes_panel.py"/><source>{a} new · {r} gone · {c} changed — {n} of {m} not judged</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ChecklistPanel</name>
    <message><location filename="../../annotator/ui/work/checklist.py"/><source>Checklist</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/checklist.py"/><source>Click to go to the next place</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/checklist.py"/><source>No task is open.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/checklist.py"/><source>The checks find nothing here</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/checklist.py"/><source>This task has no checklist.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/checklist.py"/><source>Tick it when you have looked</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/checklist.py"/><source>{done} of {n} done</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ChildrenDialog</name>
    <message><location filename="../../annotator/ui/dialogs/children.py"/><source>Name of child {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/children.py"/><source>One more</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/children.py"/><source>Split</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/children.py"/><source>Split into children</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/children.py"/><source>“{name}” ends at frame {frame}. Name the objects it becomes (an egg becomes egg shells and egg content):</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ChoiceEditor</name>
    <message><location filename="../../annotator/ui/forms/choosing.py"/><source>In your own words</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/choosing.py"/><source>Other:</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/choosing.py"/><source>{title}: other</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ChooseDialog</name>
    <message><location filename="../../annotator/ui/work/choose.py"/><source>Choose a task: {stage}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/choose.py"/><source>Search</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/choose.py"/><source>Search tasks by the video's name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/choose.py"/><source>Take it</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/choose.py"/><source>Tasks that wait</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/choose.py"/><source>sent back</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>CommentActions</name>
    <message><location filename="../../annotator/ui/review/comment_actions.py"/><source>Change the comment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/comment_actions.py"/><source>New comment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/comment_actions.py"/><source>Reply</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>CommentDialog</name>
    <message><location filename="../../annotator/ui/review/comment_dialog.py"/><source>About</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/comment_dialog.py"/><source>Words of the comment</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>CommentRows</name>
    <message><location filename="../../annotator/ui/review/comment_rows.py"/><source>Changed later</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>CommentsPanel</name>
    <message><location filename="../../annotator/ui/review/comments_panel.py"/><source>Change…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/comments_panel.py"/><source>Comments</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/comments_panel.py"/><source>Delete</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/comments_panel.py"/><source>Everything is resolved.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/comments_panel.py"/><source>No comments yet.
Shift+C writes one about what is selected, or about this frame.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/comments_panel.py"/><source>Open a task to see what was said about it.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/comments_panel.py"/><source>Open again</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/comments_panel.py"/><source>Reply…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/comments_panel.py"/><source>Resolve</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/comments_panel.py"/><source>Show resolved</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/comments_panel.py"/><source>{n} of {m} open</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ConfidenceEditor</name>
    <message><location filename="../../annotator/ui/forms/choosing.py"/><source>not sure at all</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/choosing.py"/><source>quite sure</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>Counts</name>
    <message><location filename="../../annotator/ui/lead/counts.py"/><source>All</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/counts.py"/><source>Tasks by stage and state</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/counts.py"/><source>all</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>CrashDialog</name>
    <message><location filename="../../annotator/ui/dialogs/crash.py"/><source>Copy</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/crash.py"/><source>Report</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/crash.py"/><source>Show folder</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/crash.py"/><source>Something went wrong</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/crash.py"/><source>The program met a fault on {at}. Your edits were saved as you made them. This report stays on your machine; send it to the maintainers if you like.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/crash.py"/><source>There are {n} more reports.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>CurvesPanel</name>
    <message><location filename="../../annotator/ui/points/curves.py"/><source>Curves of the point</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/points/curves.py"/><source>Select a point to see where it goes.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/points/curves.py"/><source>speed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/points/curves.py"/><source>x</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/points/curves.py"/><source>y</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>DealDialog</name>
    <message><location filename="../../annotator/ui/lead/study_dialogs.py"/><source>Pe&amp;ople</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>Desk</name>
    <message><location filename="../../annotator/ui/desk.py"/><source>Reading the video…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/desk.py"/><source>Somebody</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>Divider</name>
    <message><location filename="../../annotator/ui/canvas/divider.py"/><source>Divider between before and now</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/divider.py"/><source>Drag: before on the left, now on the right</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>EntriesDialog</name>
    <message><location filename="../../annotator/ui/dialogs/entries.py"/><source>(leave out)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/entries.py"/><source>Entries of the file</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/entries.py"/><source>Entry</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/entries.py"/><source>Import</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/entries.py"/><source>The project has no videos of these names. Choose the video that each entry of the file belongs to; entries without a video are left out.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/entries.py"/><source>Video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/entries.py"/><source>Video of entry {name}</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ExportDialog</name>
    <message><location filename="../../annotator/ui/dialogs/export.py"/><source>&amp;Contents</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/export.py"/><source>&amp;Format</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/export.py"/><source>&amp;Split</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/export.py"/><source>&amp;Task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/export.py"/><source>Choose the task that is answered.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/export.py"/><source>Export annotations</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/export.py"/><source>Export…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/export.py"/><source>F&amp;rames</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/export.py"/><source>Videos</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/export.py"/><source>actions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/export.py"/><source>all</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/export.py"/><source>all frames</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/export.py"/><source>all that was annotated</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/export.py"/><source>answers to one task, as its scorer reads them</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/export.py"/><source>as each video says</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/export.py"/><source>grid frames (one per second)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/export.py"/><source>grounded questions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/export.py"/><source>keyframes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/export.py"/><source>multiple-choice questions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/export.py"/><source>object tracks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/export.py"/><source>point tracks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/export.py"/><source>sounds</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/export.py"/><source>the same, multiple choice with its key round it</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/export.py"/><source>what test files tell, without answers</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>FactsBox</name>
    <message><location filename="../../annotator/ui/lead/facts_box.py"/><source>1 file has no row:</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/facts_box.py"/><source>1 row means no file:</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/facts_box.py"/><source>1 row.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/facts_box.py"/><source>A table (CSV or JSON) with a row for each video: a column “video” names it, others say script, variation, participant, camera, indoor, split and cut_frame. Columns of other names are kept as they stand.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/facts_box.py"/><source>Choose a table</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/facts_box.py"/><source>Choose a table…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/facts_box.py"/><source>Look at the table</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/facts_box.py"/><source>Reading…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/facts_box.py"/><source>Tables (*.csv *.tsv *.json);;All files (*)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/facts_box.py"/><source>The first rows of the table</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/facts_box.py"/><source>Without a table</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/facts_box.py"/><source>video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/facts_box.py"/><source>{n:,} files have no row:</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/facts_box.py"/><source>{n:,} rows mean no file:</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/facts_box.py"/><source>{n:,} rows.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>FeedbackCard</name>
    <message><location filename="../../annotator/ui/work/feedback.py"/><source>Open the task that this is about</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/feedback.py"/><source>Put this message away</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/feedback.py"/><source>Show</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/feedback.py"/><source>Understood</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>FieldBlock</name>
    <message><location filename="../../annotator/ui/forms/field_block.py"/><source>at least {low}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/field_block.py"/><source>exactly {low}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/field_block.py"/><source>one</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/field_block.py"/><source>optional</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/field_block.py"/><source>required</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/field_block.py"/><source>up to {high}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/field_block.py"/><source>{low} to {high}</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>FigureTable</name>
    <message><location filename="../../annotator/ui/lead/figure_table.py"/><source>Export CSV…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/figure_table.py"/><source>Export “{title}” as CSV</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>FilterBar</name>
    <message><location filename="../../annotator/ui/lead/filter_bar.py"/><source>Agreement below</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/filter_bar.py"/><source>Agreement below </source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/filter_bar.py"/><source>All findings</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/filter_bar.py"/><source>All kinds of task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/filter_bar.py"/><source>All scripts</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/filter_bar.py"/><source>Any agreement</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/filter_bar.py"/><source>Anybody</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/filter_bar.py"/><source>Anything</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/filter_bar.py"/><source>Findings</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/filter_bar.py"/><source>How far the last two submissions of a task agree</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/filter_bar.py"/><source>Kind of task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/filter_bar.py"/><source>Label</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/filter_bar.py"/><source>Part of the person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/filter_bar.py"/><source>Person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/filter_bar.py"/><source>Script</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/filter_bar.py"/><source>Search videos</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/filter_bar.py"/><source>Sent back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/filter_bar.py"/><source>Show all</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/filter_bar.py"/><source>Tasks of videos in which something has this very label</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/filter_bar.py"/><source>The lead has to decide</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/filter_bar.py"/><source>What is unusual</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/filter_bar.py"/><source>What the checks found in what was handed in last</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/filter_bar.py"/><source>ever had a part</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/filter_bar.py"/><source>has it now</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>FindingsPanel</name>
    <message><location filename="../../annotator/ui/panels/findings.py"/><source>Findings</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/findings.py"/><source>No video is open.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/findings.py"/><source>Nothing to find fault with.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>FlagEditor</name>
    <message><location filename="../../annotator/ui/forms/flagging.py"/><source>What is wrong</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/flagging.py"/><source>What is wrong, in a few words</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>GoToDialog</name>
    <message><location filename="../../annotator/ui/dialogs/go_to.py"/><source>Frame 0 to {last}, or a time such as 1:02.5 or 4.2 s</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/go_to.py"/><source>Frame or time</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/go_to.py"/><source>Frame {n}, at {time}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/go_to.py"/><source>Go to frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/go_to.py"/><source>The video has no such frame.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>GradedItem</name>
    <message><location filename="../../annotator/ui/lead/grading_sheet.py"/><source>1 · poor</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_sheet.py"/><source>2 · fair</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_sheet.py"/><source>3 · good</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_sheet.py"/><source>4 · very good</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_sheet.py"/><source>Answer {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_sheet.py"/><source>Known: {words}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_sheet.py"/><source>Question {n}: {grade}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_sheet.py"/><source>Unit</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_sheet.py"/><source>{n}. {text}</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>GradingPage</name>
    <message><location filename="../../annotator/ui/lead/grading_page.py"/><source>Attempt</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_page.py"/><source>By</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_page.py"/><source>Give the grades</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_page.py"/><source>Handed in</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_page.py"/><source>How people stand</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_page.py"/><source>Keep from this work</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_page.py"/><source>Let them begin anew</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_page.py"/><source>Look at it</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_page.py"/><source>Mean {mean}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_page.py"/><source>No test waits for a grade.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_page.py"/><source>Note</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_page.py"/><source>Note with the grades</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_page.py"/><source>Person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_page.py"/><source>Reached</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_page.py"/><source>Since</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_page.py"/><source>Standing</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_page.py"/><source>Task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_page.py"/><source>Test</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_page.py"/><source>Tests and checks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_page.py"/><source>Tests that wait for a grade</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_page.py"/><source>What they hold of it waits for others</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_page.py"/><source>What they should know (may be empty)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_page.py"/><source>What was failed before does not count any more</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_page.py"/><source>What was handed in</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_page.py"/><source>Why (may be empty)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_page.py"/><source>Why they begin anew or are kept from this work</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_page.py"/><source>counted</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_page.py"/><source>{name} has the grades.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/grading_page.py"/><source>{n} failed</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>GuideBrowser</name>
    <message><location filename="../../annotator/ui/dialogs/guide.py"/><source>Guide</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>GuideDialog</name>
    <message><location filename="../../annotator/ui/dialogs/guide.py"/><source>Back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/guide.py"/><source>Contents</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/guide.py"/><source>Forward</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/guide.py"/><source>Guide</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>GuidelineView</name>
    <message><location filename="../../annotator/ui/work/guideline_view.py"/><source>Guidelines</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>GuidelinesPanel</name>
    <message><location filename="../../annotator/ui/work/guidelines.py"/><source>No task is open.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/guidelines.py"/><source>This task has no guidelines.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/guidelines.py"/><source>{title} (round {n})</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>Inspector</name>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source> (and {n} more selected)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source> ({n})</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>&amp;Name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>Box</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>Family</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>History</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>Keyframes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>Name of the object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>No. {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>Object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>Occluded</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>Occluder (hides other objects)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>On this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>Out of view</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>Proposed, {n} % sure</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>Redo</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>Select an object to see what is known about it.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>State</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>Undo</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>became {links}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>came from {link}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>{n} accepted from proposals</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>{n} by hand</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>{n} imported</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ItemsBox</name>
    <message><location filename="../../annotator/ui/lead/items_box.py"/><source>Discard</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/items_box.py"/><source>Discard items</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/items_box.py"/><source>Discard…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/items_box.py"/><source>Items</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/items_box.py"/><source>Nothing is asked yet.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/items_box.py"/><source>Search</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/items_box.py"/><source>Take the chosen items out, for a reason that is kept</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/items_box.py"/><source>Take this item out of the work. Answers given are kept.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/items_box.py"/><source>Take {n} items out of the work. Answers given are kept.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/items_box.py"/><source>Task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/items_box.py"/><source>The recipe asks no questions.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/items_box.py"/><source>{n} of {all}</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>JobBar</name>
    <message><location filename="../../annotator/ui/panels/jobs.py"/><source>Stop this</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>KeyHelp</name>
    <message><location filename="../../annotator/ui/dialogs/key_help.py"/><source>Action</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/key_help.py"/><source>As in</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/key_help.py"/><source>Key</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/key_help.py"/><source>Keys</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/key_help.py"/><source>Mouse</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/key_help.py"/><source>Search by action or key</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/key_help.py"/><source>Search keys</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>KeysPage</name>
    <message><location filename="../../annotator/ui/dialogs/keys_page.py"/><source>Action</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/keys_page.py"/><source>Another action has the same key.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/keys_page.py"/><source>Back to the preset</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/keys_page.py"/><source>Keys</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/keys_page.py"/><source>Keys of all actions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/keys_page.py"/><source>Letters by their &amp;place, as on a US keyboard</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/keys_page.py"/><source>New key</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/keys_page.py"/><source>P&amp;reset</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/keys_page.py"/><source>Search actions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/keys_page.py"/><source>Use this key</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/keys_page.py"/><source>changed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/keys_page.py"/><source>{key} is the key of “{names}”, which would lose it.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>LabelDialog</name>
    <message><location filename="../../annotator/ui/dialogs/label.py"/><source>&amp;Colour</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/label.py"/><source>&amp;Help</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/label.py"/><source>&amp;Key</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/label.py"/><source>&amp;Roles</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/label.py"/><source>&amp;Text</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/label.py"/><source>Change the label</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/label.py"/><source>From when until when?</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/label.py"/><source>New label</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/label.py"/><source>Number</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/label.py"/><source>Putting something into something</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/label.py"/><source>by itself</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/label.py"/><source>none</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>LabelsPanel</name>
    <message><location filename="../../annotator/ui/panels/labels.py"/><source>Actions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels.py"/><source>Add a label…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels.py"/><source>Change the label…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels.py"/><source>Export this label set…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels.py"/><source>Import a label set…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels.py"/><source>Label sets as files</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels.py"/><source>Labels</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels.py"/><source>Move down</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels.py"/><source>Move up</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels.py"/><source>Remove the label</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels.py"/><source>Search labels</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels.py"/><source>Sounds</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels.py"/><source>“{name}” with {n} labels is in use now.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>LeadActions</name>
    <message><location filename="../../annotator/ui/lead/actions.py"/><source>Change the recipe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/actions.py"/><source>Go by “{title}”, version {n}, from now on?</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/actions.py"/><source>Saved as {name}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/actions.py"/><source>The project goes by “{title}” now.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/actions.py"/><source>What was done stays as it is. What waits goes by the new one.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>LeadWindow</name>
    <message><location filename="../../annotator/ui/lead/window.py"/><source>{title} – lead's desk</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>LockStrip</name>
    <message><location filename="../../annotator/ui/work/lock_strip.py"/><source>A lead can open it again: {names}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/lock_strip.py"/><source>A lead has taken this task back.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/lock_strip.py"/><source>It waits for its next stage: {stage}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/lock_strip.py"/><source>The task is complete.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/lock_strip.py"/><source>The task was taken out of the work.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/lock_strip.py"/><source>What you have drawn is kept.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/lock_strip.py"/><source>You had left the project, and the task went back to the queue.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/lock_strip.py"/><source>You handed this in ({when}).</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/lock_strip.py"/><source>You have given this task back.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/lock_strip.py"/><source>You have skipped this task.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/lock_strip.py"/><source>Your hold on this task has ended: nothing was done for too long.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/lock_strip.py"/><source>{names} works on it now ({stage}).</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>MainWindow</name>
    <message><location filename="../../annotator/ui/tool_bar.py"/><source>Tools</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/tool_rules.py"/><source>Press {key} and drag a box round an object</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>MeantStrip</name>
    <message><location filename="../../annotator/ui/forms/meant_strip.py"/><source>Object {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/meant_strip.py"/><source>Object {n}, boxed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/meant_strip.py"/><source>Pictures of what is meant</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>MergeDialog</name>
    <message><location filename="../../annotator/ui/lead/open_answers_box.py"/><source>&amp;Answer</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>MyWorkPage</name>
    <message><location filename="../../annotator/ui/work/my_work.py"/><source>1 task waits for you.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/my_work.py"/><source>Nothing waits for you now.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/my_work.py"/><source>The recipe wants new spot checks by now.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/my_work.py"/><source>{n} tasks or more wait for you.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/my_work.py"/><source>{n} tasks wait for you.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/my_work.py"/><source>{roles} · active today {today}, this week {week}</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>NewProjectDialog</name>
    <message><location filename="../../annotator/ui/dialogs/new_project.py"/><source> frames</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/new_project.py"/><source>&amp;Folder</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/new_project.py"/><source>&amp;Grid step</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/new_project.py"/><source>&amp;Name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/new_project.py"/><source>A name cannot have any of / \ : * ? " &lt; &gt; |</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/new_project.py"/><source>A rater looks at every object on each frame of the grid. It stays as it is.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/new_project.py"/><source>Browse…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/new_project.py"/><source>Create</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/new_project.py"/><source>Creates {path}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/new_project.py"/><source>Give the project a name.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/new_project.py"/><source>How is the work organised?</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/new_project.py"/><source>New project</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/new_project.py"/><source>Next ›</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/new_project.py"/><source>Stages, facts, people ›</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/new_project.py"/><source>There is a project of this name in the folder.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/new_project.py"/><source>This folder does not exist.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/new_project.py"/><source>Videos</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/new_project.py"/><source>What is known of the videos?</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/new_project.py"/><source>Who works on it?</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/new_project.py"/><source>one second</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/new_project.py"/><source>you alone</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/new_project.py"/><source>you and 1 other</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/new_project.py"/><source>you and {n} others</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/new_project.py"/><source>‹ Back</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>NumberEditor</name>
    <message><location filename="../../annotator/ui/forms/typing_fields.py"/><source>“{text}” is no number.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>NumbersPage</name>
    <message><location filename="../../annotator/ui/lead/numbers_page.py"/><source>Day</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/numbers_page.py"/><source>Finding</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/numbers_page.py"/><source>Findings</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/numbers_page.py"/><source>Findings by kind</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/numbers_page.py"/><source>Handed in per day</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/numbers_page.py"/><source>Hours</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/numbers_page.py"/><source>Hours per item</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/numbers_page.py"/><source>Human hours</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/numbers_page.py"/><source>In what was handed in last. Double-click a row to see its tasks.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/numbers_page.py"/><source>Items</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/numbers_page.py"/><source>Judged</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/numbers_page.py"/><source>Nothing yet</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/numbers_page.py"/><source>Numbers</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/numbers_page.py"/><source>People per item</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/numbers_page.py"/><source>Person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/numbers_page.py"/><source>Rate</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/numbers_page.py"/><source>Reason</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/numbers_page.py"/><source>Sent back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/numbers_page.py"/><source>Sent back, by person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/numbers_page.py"/><source>Sent back, by reason</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/numbers_page.py"/><source>Stage</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/numbers_page.py"/><source>Task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/numbers_page.py"/><source>Tasks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/numbers_page.py"/><source>Tasks per stage</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ObjectActions</name>
    <message><location filename="../../annotator/ui/object_actions.py"/><source>New object. {key} gives it a name.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ObjectRows</name>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>1 grid frame still unchecked</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>1 keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>First and last keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>Frames</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>Grid frames that nobody has checked yet</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>Hidden</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>Locked</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>Locked against changes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>Name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>Name; double-click to change it</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>No.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>Not locked</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>Number and colour</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>Number of keyframes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>Shown</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>Shown on the picture</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>{n} grid frames still unchecked</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>{n} keyframes</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ObjectsPanel</name>
    <message><location filename="../../annotator/ui/panels/objects.py"/><source>Filter by name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/objects.py"/><source>Filter objects by name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/objects.py"/><source>No object has this in its name.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/objects.py"/><source>No objects were given.
</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/objects.py"/><source>No objects yet.
Press B and drag a box round an object.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/objects.py"/><source>Objects</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/objects.py"/><source>Open a task to see its objects.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>OpenAnswersBox</name>
    <message><location filename="../../annotator/ui/lead/open_answers_box.py"/><source>Asked</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/open_answers_box.py"/><source>Done.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/open_answers_box.py"/><source>Let the chosen answers count as one</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/open_answers_box.py"/><source>Merge answers</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/open_answers_box.py"/><source>Merge…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/open_answers_box.py"/><source>Nothing is asked that people answer in their own words.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/open_answers_box.py"/><source>Nothing is decided yet, and nobody differs.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/open_answers_box.py"/><source>Open answers</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/open_answers_box.py"/><source>Search</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/open_answers_box.py"/><source>Split</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/open_answers_box.py"/><source>Split an answer</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/open_answers_box.py"/><source>Take back what made the chosen answer one</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/open_answers_box.py"/><source>Take back what was merged last</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/open_answers_box.py"/><source>Tasks decided by it: {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/open_answers_box.py"/><source>Undo last merge</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>OtherPicture</name>
    <message><location filename="../../annotator/ui/forms/second_video.py"/><source>Picture of the other video</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>OwnTests</name>
    <message><location filename="../../annotator/ui/work/own_tests.py"/><source>, grade {reached} where {wanted} is needed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/own_tests.py"/><source>, {reached} right where {wanted} is needed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/own_tests.py"/><source>It comes after {needs}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/own_tests.py"/><source>“{title}” is to be passed before {opens}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/own_tests.py"/><source>“{title}” is to be passed.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/own_tests.py"/><source>“{title}”: handed in, waits for a grade.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/own_tests.py"/><source>“{title}”: not passed{reached}. It may be tried once more.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/own_tests.py"/><source>“{title}”: not passed{reached}. It may be tried {n} times more.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/own_tests.py"/><source>“{title}”: not passed{reached}. No attempt is left; talk to the lead.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/own_tests.py"/><source>“{title}”: passed{reached}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/own_tests.py"/><source>“{title}”: your work on these has ended. Checks were failed; talk to the lead.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>PackageDialog</name>
    <message><location filename="../../annotator/ui/lead/packages.py"/><source>&amp;Further tasks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/packages.py"/><source>&amp;Person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/packages.py"/><source>&amp;Stage</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/packages.py"/><source>Put the video files into the package</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/packages.py"/><source>Without them the person needs the same files on their machine.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/packages.py"/><source>any they may take</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>Pages</name>
    <message><location filename="../../annotator/ui/pages.py"/><source>A project is one file that knows your videos and keeps every edit. New here? The demo project shows the program in a minute.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/pages.py"/><source>Add video files to it. They stay where they are; nothing is copied.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/pages.py"/><source>Choose a task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/pages.py"/><source>No project is open</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/pages.py"/><source>The tasks of this project are listed on the left.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/pages.py"/><source>The video's file is not where it was</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/pages.py"/><source>This project has no videos yet</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/pages.py"/><source>What has been annotated is safe. Say where the file is now to go on.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>PeopleBox</name>
    <message><location filename="../../annotator/ui/lead/people_box.py"/><source>1 person read.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_box.py"/><source>A PIN has four characters or more.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_box.py"/><source>Add a person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_box.py"/><source>From a table…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_box.py"/><source>Name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_box.py"/><source>PIN</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_box.py"/><source>People</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_box.py"/><source>People from a table</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_box.py"/><source>Remove</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_box.py"/><source>Roles</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_box.py"/><source>Tables (*.csv)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_box.py"/><source>You are the lead and can do everything. Write down who works with you; more can join at any time. A PIN keeps colleagues apart, nobody needs one.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_box.py"/><source>{n} people read.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_box.py"/><source>“{name}” is there twice.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>PeopleList</name>
    <message><location filename="../../annotator/ui/lead/study_dialogs.py"/><source>People</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>PeoplePage</name>
    <message><location filename="../../annotator/ui/lead/people_page.py"/><source>A PIN keeps colleagues from working under each other's names by mistake; it is no secret kept from whoever has the file.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_page.py"/><source>Add…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_page.py"/><source>Comes back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_page.py"/><source>Leaves</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_page.py"/><source>Leaves…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_page.py"/><source>Name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_page.py"/><source>Name and roles…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_page.py"/><source>Nothing is in their hands.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_page.py"/><source>PIN</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_page.py"/><source>PIN…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_page.py"/><source>People</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_page.py"/><source>Roles</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_page.py"/><source>State</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_page.py"/><source>Tasks in hand</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_page.py"/><source>The tasks in their hands ({n}) wait for others again; the drafts are kept. Where nobody is left who may take one, you are asked to decide.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_page.py"/><source>What they handed in stays, and they can come back.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_page.py"/><source>has left</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_page.py"/><source>set</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_page.py"/><source>{name} leaves the project?</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>PersonDialog</name>
    <message><location filename="../../annotator/ui/lead/people_dialogs.py"/><source>&amp;Name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_dialogs.py"/><source>&amp;PIN</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_dialogs.py"/><source>Roles</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>PinDialog</name>
    <message><location filename="../../annotator/ui/lead/people_dialogs.py"/><source>&amp;PIN</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>PinField</name>
    <message><location filename="../../annotator/ui/lead/people_dialogs.py"/><source>none</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>PointActions</name>
    <message><location filename="../../annotator/ui/point_actions.py"/><source>Accept up to the next placed frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/point_actions.py"/><source>Clear the point's mark</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/point_actions.py"/><source>Clear the point's mark here</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/point_actions.py"/><source>Clear the point's marks in the range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/point_actions.py"/><source>Dismiss between the placed frames</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/point_actions.py"/><source>Follow the points</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/point_actions.py"/><source>Hide the point</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/point_actions.py"/><source>Lock the point</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/point_actions.py"/><source>Move the point down</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/point_actions.py"/><source>Move the point down by a tenth</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/point_actions.py"/><source>Move the point left</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/point_actions.py"/><source>Move the point left by a tenth</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/point_actions.py"/><source>Move the point right</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/point_actions.py"/><source>Move the point right by a tenth</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/point_actions.py"/><source>Move the point up</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/point_actions.py"/><source>Move the point up by a tenth</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/point_actions.py"/><source>Next placed or hidden frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/point_actions.py"/><source>Next point</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/point_actions.py"/><source>Place the point here</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/point_actions.py"/><source>Placed or hidden frame before</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/point_actions.py"/><source>Point before</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/point_actions.py"/><source>Point occluded in the range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/point_actions.py"/><source>Point out of view in the range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/point_actions.py"/><source>Press P and click where the point is.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/point_actions.py"/><source>Proposals dismissed between the places round this frame. {key} makes new ones.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/point_actions.py"/><source>Proposals need the video's file.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/point_actions.py"/><source>Rename the point…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/point_actions.py"/><source>The point has no mark on this frame.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/point_actions.py"/><source>There are no proposals to accept there.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/point_actions.py"/><source>There are no proposals to dismiss here.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/point_actions.py"/><source>This point has no proposals.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>PointNameField</name>
    <message><location filename="../../annotator/ui/canvas/point_name.py"/><source>Name of the point</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/point_name.py"/><source>Which part is it?</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>PointRows</name>
    <message><location filename="../../annotator/ui/points/rows.py"/><source>1 frame is done</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/points/rows.py"/><source>1 frame is not done yet</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/points/rows.py"/><source>Frames between the first and the last that are not done yet</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/points/rows.py"/><source>Frames on which it is occluded</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/points/rows.py"/><source>Frames that are done</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/points/rows.py"/><source>Hidden</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/points/rows.py"/><source>Locked</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/points/rows.py"/><source>Locked against changes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/points/rows.py"/><source>Name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/points/rows.py"/><source>No.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/points/rows.py"/><source>Not locked</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/points/rows.py"/><source>Number and shape</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/points/rows.py"/><source>Occluded on 1 frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/points/rows.py"/><source>Occluded on {n} frames</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/points/rows.py"/><source>Shown</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/points/rows.py"/><source>Shown on the picture</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/points/rows.py"/><source>The part of the object; double-click to change it</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/points/rows.py"/><source>{n} frames are done</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/points/rows.py"/><source>{n} frames are not done yet</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>PointingView</name>
    <message><location filename="../../annotator/ui/canvas/pointing.py"/><source>Select the object that the point belongs to.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/pointing.py"/><source>The point is not placed here. Click where it is.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>PointsPanel</name>
    <message><location filename="../../annotator/ui/points/panel.py"/><source>No points on this object.
Press P and click one of its parts.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/points/panel.py"/><source>No points were given.
</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/points/panel.py"/><source>No points yet.
Select an object, press P and click one of its parts.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/points/panel.py"/><source>Open a task to see its points.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/points/panel.py"/><source>Points</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>PreferencesDialog</name>
    <message><location filename="../../annotator/ui/dialogs/preferences.py"/><source>Browse…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/preferences.py"/><source>General</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/preferences.py"/><source>Keys</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/preferences.py"/><source>Preferences</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/preferences.py"/><source>This holds from the next start of the program.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>PriorityDialog</name>
    <message><location filename="../../annotator/ui/lead/act_dialogs.py"/><source>&amp;Priority</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ProgressStrip</name>
    <message><location filename="../../annotator/ui/forms/progress_strip.py"/><source>Progress</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/progress_strip.py"/><source>answered</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/progress_strip.py"/><source>flagged</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/progress_strip.py"/><source>open</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/progress_strip.py"/><source>{done} of {n} answered</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ProjectActions</name>
    <message><location filename="../../annotator/ui/project_actions.py"/><source>1 video added.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/project_actions.py"/><source>1 was in the project already.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/project_actions.py"/><source>Add videos</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/project_actions.py"/><source>Compare the video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/project_actions.py"/><source>Make the demo project</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/project_actions.py"/><source>None yet</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/project_actions.py"/><source>Open recent</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/project_actions.py"/><source>Open the demo of a benchmark</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/project_actions.py"/><source>Save a copy</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/project_actions.py"/><source>Saved as {name}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/project_actions.py"/><source>Where is “{name}”?</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/project_actions.py"/><source>Work in this project goes on. Wait for it, or stop it at the lower right.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/project_actions.py"/><source>{n} could not be added:</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/project_actions.py"/><source>{n} videos added.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/project_actions.py"/><source>{n} were in the project already.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>PropertiesEditor</name>
    <message><location filename="../../annotator/ui/forms/typing_fields.py"/><source>Take “{text}” away</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/typing_fields.py"/><source>Type one and press Enter</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ProposalActions</name>
    <message><location filename="../../annotator/ui/proposal_actions.py"/><source>Proposals need the video's file.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/proposal_actions.py"/><source>There are no proposals to accept there.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/proposal_actions.py"/><source>This object has no proposals.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>QuestionActions</name>
    <message><location filename="../../annotator/ui/forms/question_actions.py"/><source>Every question is answered. {key} hands them in.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/question_actions.py"/><source>Question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/question_actions.py"/><source>There is no second video.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/question_actions.py"/><source>This form has no flag.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/question_actions.py"/><source>This question is answered {n} times at most.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/question_actions.py"/><source>This question is still open.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>QuestionPanel</name>
    <message><location filename="../../annotator/ui/forms/question_panel.py"/><source>Answer {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/question_panel.py"/><source>Back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/question_panel.py"/><source>Form</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/question_panel.py"/><source>Replay</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/question_panel.py"/><source>Right: {words}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/question_panel.py"/><source>The right answer: {words}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/question_panel.py"/><source>{at} of {n}</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>QuestionsPage</name>
    <message><location filename="../../annotator/ui/lead/questions_page.py"/><source>, {n} discarded</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/questions_page.py"/><source>Ask again with sound</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/questions_page.py"/><source>Ask for objects of focus</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/questions_page.py"/><source>Ask for primary questions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/questions_page.py"/><source>Ask for scores of answers</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/questions_page.py"/><source>Ask for trial questions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/questions_page.py"/><source>Ask raters imported questions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/questions_page.py"/><source>Ask two more people</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/questions_page.py"/><source>Ask what rules find in tracks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/questions_page.py"/><source>Ask what the bank has</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/questions_page.py"/><source>Ask whether videos suit</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/questions_page.py"/><source>Bring in proposed sets…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/questions_page.py"/><source>Bring in questions…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/questions_page.py"/><source>Data sets (*.json *.parquet)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/questions_page.py"/><source>Deal the written questions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/questions_page.py"/><source>Draw the final options</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/questions_page.py"/><source>In the order of the work. Each act makes only what was not made before, so it may be repeated whenever more is settled.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/questions_page.py"/><source>Keep what raters said yes to</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/questions_page.py"/><source>Note what raters decided</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/questions_page.py"/><source>Pair the objects</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/questions_page.py"/><source>Put texts before two people</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/questions_page.py"/><source>Questions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/questions_page.py"/><source>Questions (*.json *.parquet)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/questions_page.py"/><source>Take over what they agree on</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/questions_page.py"/><source>Take up imported questions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/questions_page.py"/><source>The recipe of this project asks nothing.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/questions_page.py"/><source>Write the data set</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/questions_page.py"/><source>Write the data set…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/questions_page.py"/><source>{n} new</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/questions_page.py"/><source>{n} so far, {k} decided</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>Rater</name>
    <message><location filename="../../annotator/ui/work/rater.py"/><source>Checklist</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/rater.py"/><source>Guidelines</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/rater.py"/><source>This task leaves your hands at {time}. Go on with it, and it stays.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ReasonDialog</name>
    <message><location filename="../../annotator/ui/lead/act_dialogs.py"/><source>&amp;Reason</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/act_dialogs.py"/><source>&amp;Stage</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/act_dialogs.py"/><source>Why? It is recorded.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/act_dialogs.py"/><source>the last one</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/reason_dialog.py"/><source>About</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/reason_dialog.py"/><source>If there is more to say</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/reason_dialog.py"/><source>In words</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/reason_dialog.py"/><source>Reason</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/reason_dialog.py"/><source>Something else</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/reason_dialog.py"/><source>What is wrong?</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/reason_dialog.py"/><source>Why does it go back?</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>RecipeCards</name>
    <message><location filename="../../annotator/ui/lead/recipe_cards.py"/><source>A TOML file that says stages, roles, checklists and guidelines</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/recipe_cards.py"/><source>A recipe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/recipe_cards.py"/><source>A recipe of my own…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/recipe_cards.py"/><source>Recipes (*.toml)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/recipe_cards.py"/><source>The file cannot be read: {why}</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ReportDialog</name>
    <message><location filename="../../annotator/ui/dialogs/report.py"/><source>Copy</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/report.py"/><source>Double-click an entry to go there.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/report.py"/><source>Export CSV…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/report.py"/><source>Findings</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/report.py"/><source>Frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/report.py"/><source>What</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/report.py"/><source>Where</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ReturnStrip</name>
    <message><location filename="../../annotator/ui/work/return_strip.py"/><source>This was sent back:</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/return_strip.py"/><source>frame {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/return_strip.py"/><source>show</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ReviewActions</name>
    <message><location filename="../../annotator/ui/review/actions.py"/><source>Every change has been judged.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/actions.py"/><source>Noted: it goes along when you send the task back.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>Reviewing</name>
    <message><location filename="../../annotator/ui/review/reviewing.py"/><source>Compare with before</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>RoundDialog</name>
    <message><location filename="../../annotator/ui/lead/act_dialogs.py"/><source># What to look for

Markdown; pictures from the project's folder: ![a cup](pictures/cup.png)

Left empty, those of the recipe count.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/act_dialogs.py"/><source>&amp;Begins at</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/act_dialogs.py"/><source>&amp;Reason</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/act_dialogs.py"/><source>&amp;Title</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/act_dialogs.py"/><source>Cups that change hands</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/act_dialogs.py"/><source>Guidelines in Markdown</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/act_dialogs.py"/><source>How the guidelines will look</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/act_dialogs.py"/><source>as the recipe says</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SecondVideo</name>
    <message><location filename="../../annotator/ui/forms/second_video.py"/><source>Pause the other video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/second_video.py"/><source>Place in the other video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/second_video.py"/><source>Play the other video</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SegmentActions</name>
    <message><location filename="../../annotator/ui/segment_actions.py"/><source>Actions begin and end with a frame.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/segment_actions.py"/><source>Choose a label first: by its digit or in Labels.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/segment_actions.py"/><source>No label of this lane has the key {n}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/segment_actions.py"/><source>No segment with this label touches it.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/segment_actions.py"/><source>Only of a sound it is said that it is out of view.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/segment_actions.py"/><source>The chosen label is for the other lane.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/segment_actions.py"/><source>There is no further edge.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/segment_actions.py"/><source>There is no further segment.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SegmentCard</name>
    <message><location filename="../../annotator/ui/panels/segment_card.py"/><source>Action</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segment_card.py"/><source>End</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segment_card.py"/><source>Lane</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segment_card.py"/><source>Length</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segment_card.py"/><source>Open role {n} again</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segment_card.py"/><source>Out of view</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segment_card.py"/><source>Sound</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segment_card.py"/><source>Start</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segment_card.py"/><source>This label is not in the label set.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segment_card.py"/><source>What the segment says</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segment_card.py"/><source>frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segment_card.py"/><source>{s:.3f} s  ·  {n} frames</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segment_card.py"/><source>◂ moved by keys</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SegmentPainting</name>
    <message><location filename="../../annotator/ui/segment_painting.py"/><source>Choose a label first: by its digit or in Labels.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/segment_painting.py"/><source>“{label}” as long as you hold the key</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SegmentRows</name>
    <message><location filename="../../annotator/ui/panels/segment_rows.py"/><source>Length</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segment_rows.py"/><source>Start</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segment_rows.py"/><source>What happens</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SegmentsPanel</name>
    <message><location filename="../../annotator/ui/panels/segments.py"/><source>Filter by words</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segments.py"/><source>Filter segments by words</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segments.py"/><source>No actions or sounds were given.
</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segments.py"/><source>No actions or sounds yet.
Choose a label, mark start and end with I and O, and press Enter; or hold the label's digit while the video plays.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segments.py"/><source>No segment has these words.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segments.py"/><source>Open a task to see its segments.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segments.py"/><source>Segments</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SendBackDialog</name>
    <message><location filename="../../annotator/ui/review/send_back_dialog.py"/><source>1 reason goes along.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/send_back_dialog.py"/><source>A task goes back for at least one reason.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/send_back_dialog.py"/><source>Add a reason…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/send_back_dialog.py"/><source>Reasons</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/send_back_dialog.py"/><source>Send back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/send_back_dialog.py"/><source>Send the task back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/send_back_dialog.py"/><source>Somebody else will correct it, who has had no part in it yet. Tick every reason that is to go along, so that they need not ask.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/send_back_dialog.py"/><source>{n} reasons go along.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SidePanels</name>
    <message><location filename="../../annotator/ui/side_panels.py"/><source>Findings</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/side_panels.py"/><source>Inspector</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/side_panels.py"/><source>Labels</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/side_panels.py"/><source>Objects</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/side_panels.py"/><source>Points</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/side_panels.py"/><source>Segments</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/side_panels.py"/><source>Tasks</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SideView</name>
    <message><location filename="../../annotator/ui/canvas/side_view.py"/><source>Picture as it was before</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SignInPage</name>
    <message><location filename="../../annotator/ui/work/sign_in.py"/><source>PIN</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/sign_in.py"/><source>People</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/sign_in.py"/><source>Search people by name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/sign_in.py"/><source>Sign in</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/sign_in.py"/><source>Type your name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/sign_in.py"/><source>Who are you?</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SlotFilling</name>
    <message><location filename="../../annotator/ui/slot_filling.py"/><source> · 0: not annotated · Esc: leave</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/slot_filling.py"/><source>All roles are filled. Choose one by its digit first.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/slot_filling.py"/><source>Click the object that is {n}: {word}, in the picture or in the list</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/slot_filling.py"/><source>This action has no role {n}.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SoundMenu</name>
    <message><location filename="../../annotator/ui/timeline/sound_menu.py"/><source>All, mixed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/sound_menu.py"/><source>Channel</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/sound_menu.py"/><source>Colours</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/sound_menu.py"/><source>Gain</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/sound_menu.py"/><source>Linear</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/sound_menu.py"/><source>Logarithmic</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/sound_menu.py"/><source>Pitch</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/sound_menu.py"/><source>Range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/sound_menu.py"/><source>Sound track</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/sound_menu.py"/><source>mono</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/sound_menu.py"/><source>stereo</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/sound_menu.py"/><source>{count} channels</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SourcesBox</name>
    <message><location filename="../../annotator/ui/lead/sources.py"/><source>A text file that names a file or folder on each line</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sources.py"/><source>Add a folder…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sources.py"/><source>Add a list</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sources.py"/><source>Add a list…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sources.py"/><source>Add videos…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sources.py"/><source>All videos and sounds in it and below it</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sources.py"/><source>Lists (*.txt)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sources.py"/><source>Remove</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sources.py"/><source>Videos</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SpansEditor</name>
    <message><location filename="../../annotator/ui/forms/pointing_fields.py"/><source>Play {span}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/pointing_fields.py"/><source>Take {span} away</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/pointing_fields.py"/><source>{start} and {end} move the start and the end to the frame shown.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/pointing_fields.py"/><source>{start} marks where it starts, {end} where it ends.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>Spelling</name>
    <message><location filename="../../annotator/ui/forms/spelling.py"/><source>Add “{word}” to the words of the project</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/spelling.py"/><source>Looking for similar words…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/spelling.py"/><source>No similar words</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/spelling.py"/><source>Read a dictionary</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SpotPage</name>
    <message><location filename="../../annotator/ui/lead/spot_page.py"/><source>1 submission waits to be looked at.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/spot_page.py"/><source>By</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/spot_page.py"/><source>Draw</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/spot_page.py"/><source>Draw spot checks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/spot_page.py"/><source>Drawn</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/spot_page.py"/><source>Feedback</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/spot_page.py"/><source>Feedback: it appears at the top of their start page until they put it away.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/spot_page.py"/><source>How they are chosen</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/spot_page.py"/><source>Look at it</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/spot_page.py"/><source>Looked at</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/spot_page.py"/><source>Note</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/spot_page.py"/><source>Of what is new, draw</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/spot_page.py"/><source>Send</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/spot_page.py"/><source>Sent to {name}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/spot_page.py"/><source>Share of the new submissions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/spot_page.py"/><source>Spot checks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/spot_page.py"/><source>Stage</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/spot_page.py"/><source>The recipe wants new ones by now.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/spot_page.py"/><source>To</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/spot_page.py"/><source>To whom</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/spot_page.py"/><source>Video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/spot_page.py"/><source>What it is about</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/spot_page.py"/><source>What you found</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/spot_page.py"/><source>What you found (may be empty)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/spot_page.py"/><source>about the chosen task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/spot_page.py"/><source>at random</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/spot_page.py"/><source>by risk: whose work came back often first</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/spot_page.py"/><source>everybody</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/spot_page.py"/><source>in general</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/spot_page.py"/><source>{n} submissions wait to be looked at.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>StatusLine</name>
    <message><location filename="../../annotator/ui/panels/status_line.py"/><source> ({n} more)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/status_line.py"/><source>Background work</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/status_line.py"/><source>One moment…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/status_line.py"/><source>Tracking</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/status_line.py"/><source>Tracking {name}</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>StudiesPage</name>
    <message><location filename="../../annotator/ui/lead/studies_page.py"/><source>After people came or left</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies_page.py"/><source>Answers</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies_page.py"/><source>Answers dealt</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies_page.py"/><source>Answers given</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies_page.py"/><source>Deal again</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies_page.py"/><source>Deal again…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies_page.py"/><source>Figures with both intervals, answers and the plan; no names of people</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies_page.py"/><source>From</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies_page.py"/><source>From and to: the interval of 90 %, by Wilson's method. Majorities: of items that all have answered, those on which more than half were right.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies_page.py"/><source>It is dealt to {n} people.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies_page.py"/><source>Items</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies_page.py"/><source>Kind of study</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies_page.py"/><source>Majorities right</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies_page.py"/><source>Make the study</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies_page.py"/><source>Median time</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies_page.py"/><source>New study…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies_page.py"/><source>Nothing is settled yet that could be asked in this study.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies_page.py"/><source>Of</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies_page.py"/><source>People</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies_page.py"/><source>Person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies_page.py"/><source>Results</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies_page.py"/><source>Right</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies_page.py"/><source>Seen</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies_page.py"/><source>Studies</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies_page.py"/><source>Study</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies_page.py"/><source>Study {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies_page.py"/><source>The recipe of this project has no study: it needs a task type with the purpose “study”.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies_page.py"/><source>There is no study yet. In a study people who had no part in the items answer those that are settled, so that you know how well people do. Add them on the page People as participants, then make a study of so many items.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies_page.py"/><source>To</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies_page.py"/><source>Write files…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies_page.py"/><source>Wrote {names}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies_page.py"/><source>{given:,} of {dealt:,} answers to {items:,} items</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies_page.py"/><source>{n:,} not judged yet</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies_page.py"/><source>“{name}” is made: people find it in their work.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>StudyDialog</name>
    <message><location filename="../../annotator/ui/lead/study_dialogs.py"/><source>&amp;Area</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/study_dialogs.py"/><source>&amp;Items, drawn by lot</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/study_dialogs.py"/><source>&amp;Name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/study_dialogs.py"/><source>&amp;Split</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/study_dialogs.py"/><source>&amp;Tag</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/study_dialogs.py"/><source>A&amp;nswers to each</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/study_dialogs.py"/><source>At most for each &amp;person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/study_dialogs.py"/><source>Nobody answers two items of one &amp;group</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/study_dialogs.py"/><source>Pe&amp;ople</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/study_dialogs.py"/><source>Seen</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SubmitDialog</name>
    <message><location filename="../../annotator/ui/dialogs/submit.py"/><source>1 point is still open. Go there, or hand in as it is.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/submit.py"/><source>Approve</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/submit.py"/><source>Go there</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/submit.py"/><source>Nothing is left open.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/submit.py"/><source>Submit</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/submit.py"/><source>What is still open</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/submit.py"/><source>{n} points are still open. Go there, or hand in as it is.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/submit.py"/><source>{verb} anyway</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>TaskActions</name>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>Approved.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>Compare with the right answer; then hand in.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>Given back. What you have drawn is kept.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>Nothing waits for you now.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>Reopen</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>Reopen the task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>Skip</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>Skip the task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>Skipped.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>Submitted.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>Submitted. The next task is in the list.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>The task is open again.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>There are no more tasks in the list.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>Why can you not do it? It will not be offered to you again.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>Why is it opened again? The reason is kept with the task.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>{n} more are open.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>TaskHeader</name>
    <message><location filename="../../annotator/ui/panels/task_header.py"/><source>Approve</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/task_header.py"/><source>Every edit is saved at once. There is no need to save.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/task_header.py"/><source>Your active time on this task, at this stage</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/task_header.py"/><source>locked</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/task_header.py"/><source>read-only</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/task_header.py"/><source>round {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/task_header.py"/><source>saved</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/task_header.py"/><source>saved {ago}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/task_header.py"/><source>sent back</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>TasksPanel</name>
    <message><location filename="../../annotator/ui/panels/tasks.py"/><source>Add videos…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/tasks.py"/><source>Search tasks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/tasks.py"/><source>Search tasks by name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/tasks.py"/><source>Tasks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/tasks.py"/><source>remarks: {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/tasks.py"/><source>video not found</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/tasks.py"/><source>{done} of {n} submitted</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/tasks.py"/><source>{name}
{size}, {n} frames, {rate:.2f} frames/s</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/tasks.py"/><source>{n} in your hands</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>TextEditor</name>
    <message><location filename="../../annotator/ui/forms/typing_fields.py"/><source>{n} of at least {least} characters</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/typing_fields.py"/><source>{n} of {most} characters</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>TimelineView</name>
    <message><location filename="../../annotator/ui/timeline/view.py"/><source>Timeline</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ToolView</name>
    <message><location filename="../../annotator/ui/canvas/tools.py"/><source>Select an object on this frame first (Tab).</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/tools.py"/><source>The object is out of view here. Draw or drag it first.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>TracksEditor</name>
    <message><location filename="../../annotator/ui/forms/pointing_fields.py"/><source>Click them in the picture, or tick them here.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/pointing_fields.py"/><source>No object is marked in this video.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>TransportBar</name>
    <message><location filename="../../annotator/ui/panels/transport.py"/><source>Frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/transport.py"/><source>Frame, counted from 0</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/transport.py"/><source>Frames left out because the machine was too slow</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/transport.py"/><source>Speed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/transport.py"/><source>Speed of playback</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/transport.py"/><source>Time of the frame, from the first picture</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/transport.py"/><source>Volume</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/transport.py"/><source>{n} dropped</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>TruthEditor</name>
    <message><location filename="../../annotator/ui/forms/choosing.py"/><source>No</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/choosing.py"/><source>Yes</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>Verdicts</name>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>1 change is marked to go back.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>1 comment is not resolved.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>Approve</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>Approve this task all the same?</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>Send back…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>Sent back. Somebody else will correct it.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>{n} changes are marked to go back.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>{n} comments are not resolved.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>{n} of {m} changes have not been judged.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>WorkActions</name>
    <message><location filename="../../annotator/ui/work_actions.py"/><source>All doubtful frames seen: from the worst again.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>WorkList</name>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>Begun</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>Handed in last</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>My work</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>Sent back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>Waiting</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>choose one</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>round {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>take the next one</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>yours until {when}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>{n} or more wait</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>{n} question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>{n} questions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>{n} wait</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>{n} waits</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>_Banner</name>
    <message><location filename="../../annotator/ui/panels/banners.py"/><source>Close this notice</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>_NameDelegate</name>
    <message><location filename="../../annotator/ui/panels/objects.py"/><source>Name of the object</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>actions</name>
    <message><location filename="../../resources/actions.toml"/><source>About annotator</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Accept</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Accept all</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Accept every proposal of the selected object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Accept the proposals from the keyframe before up to this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Accept the proposals from this frame up to the next keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Accept this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Accept up to here</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Accept up to the next keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Actual size</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Add folders and lists of videos, with what a table knows of them</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Add many videos…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Add people, say what they may do, set PINs, let them leave and come back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Add video files to the project; they stay where they are</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Add videos…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>All tasks by stage and state: find, hand out, take back, send round again</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Answer by its digit</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Appearance, keys, playback and tracking</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>As before</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Begin another answer to the same question, where it takes several</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Board</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Cancel the drawing, stop tracking, or select nothing</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Change before</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Change person…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Change the recipe…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Choose the label; held while playing, paint with it; with an action selected, fill its role</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Clear the range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Click the topmost, leftmost, lowest and rightmost point of the object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Click to place the selected point, or a new one on the selected object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Click to select, drag to move, drag a handle to resize</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Click two opposite corners of the object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Close the program; everything is saved already</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Collect submissions…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Comment before</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Comment…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Copy in place</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Curves</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Cut the selected segment at this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Cut the track, whose rest becomes a new object, or the selected segment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Delete</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Delete all keyframes of the object in the marked range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Delete keyframes in the range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Delete the keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Delete the point</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Delete the segment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Delete the selected object's keyframe on this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Delete the selected objects on all frames, or the selected segment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Delete the selected points on all frames</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Delete the selected segment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Dismiss here</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Do not show the selected objects on the picture, or show them again</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Drag a box round an object: a new one, or the selected one</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Draw a box</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Draw a new object with the tool used last</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Draw a sample of what was handed in, look at it, and give feedback</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Draw again</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Draw by four extreme points</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Draw by two corners</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Draw what was before dashed under what is, where that differs</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Each click places the selected point and goes to the next frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Edge 1 ms earlier</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Edge 1 ms later</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Edge before</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Edge one frame earlier</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Edge one frame later</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Edit</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>End here</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>End the marked range with this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Exchange the two selected objects from this frame on</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Export annotations…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Export work package…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Faster</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>File</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>First frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Fit the window</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Fix the box as it is shown on this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Flag the question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Fold the lanes of points</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Forget the marked range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Full screen</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Give it the chosen label</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Give the object another name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Give the selected segment the label chosen in the list</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Give the task back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Give the task back for good, and say why</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Give the task to somebody else to be corrected, and say why</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go back by one second</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go back to the question before</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go by another recipe, or by a new version of this one, from a file</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go forward by one second</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go half way between the two keyframes round this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go on</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go on with a submitted task; what was handed in stays as it is</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to frame…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the annotation-grid frame before this one</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the comment before that is not resolved</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the difference before that nobody has judged</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the end of the range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the first frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the first frame of the marked range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the last frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the last frame of the marked range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the next annotation-grid frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the next comment that is not resolved</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the next difference that nobody has judged</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the next question that is not answered yet</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the next start or end of a segment; keys move this edge then</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the proposal that the tracker is least sure of and nobody has looked at</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the selected object's keyframe before this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the selected object's next keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the start of the range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the start or end of a segment before; keys move this edge then</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to what is open in this question, else to the next question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Grid frame before</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Guide</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Guidelines</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Hand in this task as it is now</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Help</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Hidden in part or whole from this frame to the next keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Hide</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>How to annotate with this program</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Import annotations…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Join</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Join the selected segment with the next of its label that touches or overlaps it</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Keep the point still</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Keep the selected objects from being changed, or free them</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Keep the selected point in the middle while the video moves, so that drift is seen</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Keyframe before</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Keys</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Label or role by its digit</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Last frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Lead</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Let somebody else go on with this task; what you have drawn is kept</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Let somebody else sign in</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Let the selected segment end with this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Let the selected segment start with this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Locate the video…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Lock</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Loop</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Make a project file and add videos to it</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Make a second segment like the selected one</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Make a segment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Make do without proposals between the keyframes round this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Make proposals for the selected objects, or make them again</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Make the box higher</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Make the box lower</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Make the box narrower</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Make the box wider</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Make the edit again that was taken back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Make the marked range an action or a sound with the chosen label</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Make the proposal on this frame a keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Make the two selected objects one, or merge the segment with the one it touches</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Mark the end</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Mark the object occluded on every frame of the marked range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Mark the object out of view on every frame of the marked range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Mark the start</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Merge</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Middle of the gap</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Most doubtful frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Move the bottom edge of the selected box by one pixel</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Move the box down</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Move the box left</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Move the box right</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Move the box up</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Move the edge chosen last by one frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Move the edge of a sound by one millisecond</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Move the right edge of the selected box by one pixel</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Move the selected box down by one pixel of the picture</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Move the selected box left by one pixel of the picture, or the edge of a segment by a frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Move the selected box right by one pixel of the picture, or the edge of a segment by a frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Move the selected box up by one pixel of the picture</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Mute</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>My work</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>New project…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Next change</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Next comment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Next edge</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Next grid frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Next keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Next object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Next open question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Next panel</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Next segment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Next task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Not in the picture from this frame to the next keyframe; of a sound: what sounds is not seen</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Numbers</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Object before</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Occluded</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Occluded in the range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>One frame back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>One frame forward</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>One more answer</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>One second back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>One second forward</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Open a project file</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Open project…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Open the demo project</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Open the next task in the list; in a project with stages, take the next that waits for you</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Open the task before in the list</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Out of view</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Out of view in the range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Paint while held</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Panel before</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Pause tracking</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>People</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Pick the option of that number; with several to be ticked, tick it or not</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Place and go on</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Place points</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Play backwards</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Play backwards at a quarter of the speed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Play backwards slowly</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Play backwards; again for faster; with K held, one frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Play forwards</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Play forwards at a quarter of the speed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Play forwards slowly</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Play forwards; again for faster; with K held, one frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Play from here, or stop here</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Play once</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Play or pause</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Play or pause the second video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Play the marked range, or the selected segment, from its start to its end</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Play the marked range, the selected segment or the whole video again and again</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Play the second of two videos by itself, or stop it</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Play the video from its first frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Play, and make what plays a segment as long as the key is held</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Playback</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Points</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Preferences…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Proposals</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Question before</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Quit</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Read objects from a Perception Test file</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Redo</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Rename…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Reopen the task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Replay from the start</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Return my work…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Return…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Review</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Role not annotated</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Save a copy…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Save the recipe…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Say that something is wrong with the question, or take that back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Say that the difference is right, and go to the next; once more takes that back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Say that the object of the waiting role, or of the first open one, has no box</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Say that what sounds is not seen, or that it is</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Say what is wrong: it goes along as a reason when the task is sent back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Say where the file of this video is now</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>See the program at work</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Segment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Segment before</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Select all objects</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Select and move</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Select every object of the video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Select the action or sound before and go to its start</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Select the next action or sound and go to its start</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Select the next object on this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Select the object before on this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Send back…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Set a keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Show and search all keys</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Show before</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Show before and now beside each other, on one playhead</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Show before at the left of a divider and now at the right; drag it</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Show one pixel of the picture as one pixel of the screen</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Show or hide the outline of the sound in the timeline</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Show or hide the pitches of the sound in the timeline</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Show place and speed of the selected point over time</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Show the picture larger</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Show the picture smaller</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Show the whole picture</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Side by side</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Silence the sound, or bring it back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Skip the task…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Slower</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Sound out of view</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Spectrogram</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Split here</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Split into children…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Split the segment here</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Spot checks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Start here</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Start the marked range at this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Step to the frame before</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Step to the next frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Stop</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Stop making proposals until this is switched off again</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Stop the shuttle</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Stop; twice for normal speed; hold for single frames with J and L</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Submit</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Swap from here on</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Swipe compare</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Take over what came back from work packages; twice does no harm</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Take the keys to the next panel, out of the picture</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Take the keys to the panel before</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Take the lanes of the selected object's points away in the timeline, or show them again</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Take the last edit back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Take the task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Take this very task, to go on with it</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Task before</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>The next higher speed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>The next lower speed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>The object changes state here: name the objects it becomes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Track the object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Type the number of a frame, or a time</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Undo</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Undo this difference alone: make it as it was before</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Use the whole screen, or go back to a window</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Version and licences</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>View</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Waveform</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>What a good annotation is; in a project with stages, the instructions for this task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>What came back to you, what you have begun and what waits for you</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>What was done per day, what waits, what came back, and the human hours</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Write a comment about what is selected, this frame, or the task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Write a file that the benchmark's loaders read</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Write all that you have submitted into a file for the lead</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Write the recipe of this project into a file, to be edited and used elsewhere</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Write the tasks of one person into a file, to be worked on elsewhere</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Write the whole project into a new file</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Zoom in</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Zoom out</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>canvas</name>
    <message><location filename="../../annotator/ui/canvas/board.py"/><source>Begins “{name}” here (Alt: new object)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/board.py"/><source>Brings “{name}” back (Alt: new object)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/board.py"/><source>Corrects “{name}” (Alt: new object)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/board.py"/><source>New object “{name}”</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/board.py"/><source>object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/cursors.py"/><source>Accepted proposal</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/cursors.py"/><source>Between keyframes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/cursors.py"/><source>Click: accept · Drag: correct</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/cursors.py"/><source>Click: accept · Drag: correct · Right-click: occluded</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/cursors.py"/><source>Drag: back in view from here</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/cursors.py"/><source>Drag: move (Shift: finer) · Right-click: occluded</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/cursors.py"/><source>Imported</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/cursors.py"/><source>Keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/cursors.py"/><source>Locked</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/cursors.py"/><source>Occluded</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/cursors.py"/><source>Occluded; the cross is an estimate</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/cursors.py"/><source>Out of view; this was its last place</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/cursors.py"/><source>Placed by hand</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/cursors.py"/><source>Proposed, {percent} % sure</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/gestures.py"/><source>That box is too small. Zoom in, or draw it larger.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/gestures.py"/><source>back in view from here</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/gestures.py"/><source>corrects the proposal</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/gestures.py"/><source>{count} more clicks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/gestures.py"/><source>{count} objects</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/layers.py"/><source>Now</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/point_board.py"/><source>New point on “{name}”</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/point_board.py"/><source>Places “{name}” (Alt: new point)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/point_board.py"/><source>Select an object first</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/point_board.py"/><source>point {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/point_gestures.py"/><source>Select the object that the point belongs to.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/pointer.py"/><source>“{name}” is locked. Unlock it to edit it.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/scene.py"/><source>Arrows: move · Shift: by 10 · Ctrl: by 0.1 · Enter: done</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/scene.py"/><source>Arrows: move · Shift: by 10 · Ctrl: resize · Enter: done</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/scene.py"/><source>Frame {shown} in place of {wanted}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/scene.py"/><source>No video is open</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/scene.py"/><source>This file has sound but no picture.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/summary.py"/><source>1 box</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/summary.py"/><source>1 point</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/summary.py"/><source>Frame {index}, {count}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/summary.py"/><source>No picture</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/summary.py"/><source>Out of view: {names}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/summary.py"/><source>and {n} more</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/summary.py"/><source>locked</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/summary.py"/><source>occluded</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/summary.py"/><source>proposed, {percent} %</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/summary.py"/><source>selected</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/summary.py"/><source>{n} boxes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/summary.py"/><source>{n} points</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>checklist</name>
    <message><location filename="../../annotator/ui/work/checklist_state.py"/><source>{text} ({n} open)</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>files</name>
    <message><location filename="../../annotator/ui/dialogs/files.py"/><source>Add videos</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/files.py"/><source>Annotations (*.json *.pkl *.pickle *.csv);;All files (*)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/files.py"/><source>Change the recipe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/files.py"/><source>Choose a folder</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/files.py"/><source>Export annotations</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/files.py"/><source>Export the label set</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/files.py"/><source>Import a label set</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/files.py"/><source>Import annotations</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/files.py"/><source>Label sets (*.toml)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/files.py"/><source>Label sets (*.toml);;All files (*)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/files.py"/><source>Model file</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/files.py"/><source>Models (*.onnx);;All files (*)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/files.py"/><source>Open project</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/files.py"/><source>Projects (*.annot)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/files.py"/><source>Projects and work packages (*.annot *.work);;All files (*)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/files.py"/><source>Recipes (*.toml)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/files.py"/><source>Save a copy</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/files.py"/><source>Save the recipe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/files.py"/><source>Tables (*.csv)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/files.py"/><source>Videos and sounds ({names});;All files (*)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/files.py"/><source>Write a table</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>lead</name>
    <message><location filename="../../annotator/ui/lead/act_dialogs.py"/><source>1 task chosen.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/act_dialogs.py"/><source>Assign</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/act_dialogs.py"/><source>Complete ones go through the later stages again, with these guidelines.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/act_dialogs.py"/><source>Give it to</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/act_dialogs.py"/><source>Give them to</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/act_dialogs.py"/><source>Open a round</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/act_dialogs.py"/><source>Prioritise</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/act_dialogs.py"/><source>The highest number comes first in its queue; 0 is usual.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/act_dialogs.py"/><source>{n} tasks chosen.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/adding.py"/><source>1 video added.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/adding.py"/><source>1 video got facts from the table.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/adding.py"/><source>1 was in the project already.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/adding.py"/><source>Add videos</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/adding.py"/><source>Line {line} of the table means no video.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/adding.py"/><source>Looking for files</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/adding.py"/><source>Stopped: 1 was not reached.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/adding.py"/><source>Stopped: {n:,} were not reached.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/adding.py"/><source>The same content as {path}: added once.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/adding.py"/><source>The table does not mention this video.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/adding.py"/><source>The table was not used.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/adding.py"/><source>{n:,} could not be added.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/adding.py"/><source>{n:,} videos added.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/adding.py"/><source>{n:,} videos got facts from the table.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/adding.py"/><source>{n:,} were in the project already.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/agreement_box.py"/><source>Asked</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/agreement_box.py"/><source>From</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/agreement_box.py"/><source>Items</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/agreement_box.py"/><source>Method</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/agreement_box.py"/><source>Of</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/agreement_box.py"/><source>Raters</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/agreement_box.py"/><source>To</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/agreement_box.py"/><source>Value</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>Actions and sounds that both have</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>Agreement</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>All fields</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>Area</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>Cohen's kappa</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>Cohen's kappa, linear weights</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>Cohen's kappa, quadratic weights</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>Fleiss' kappa</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>Group</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>Item</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>Krippendorff's alpha, interval</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>Krippendorff's alpha, nominal</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>Krippendorff's alpha, ordinal</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>Objects that both have</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>Option</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>Overlap of boxes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>Overlap of times</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>Part</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>Places of points (average Jaccard)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>Question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>Rater</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>Reasoning</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>Tag</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>Template</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>all</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>attention checks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>begins anew</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>decided</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>discarded</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>everybody always said the same</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>failed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>failed, no attempt left</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>kept from this work</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>known answers</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>no two people answered the same</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>nothing is decided yet</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>only one person answered</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>open</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>passed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>study</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>test</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>there is no such case</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>too few in common</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>training</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>waits for a grade</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>warned</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>work</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>{n} about nothing that is there</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>{n} by another version of the methods</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>{n} from other answers</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>{n} not what follows from these answers</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answer_words.py"/><source>{n} the same</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/beginning.py"/><source>1 person could not be added:</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/beginning.py"/><source>New project</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/beginning.py"/><source>{n} people could not be added:</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Answered by</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Certificates</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Correctly led</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Correctly led question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Discarded</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Discarded sets</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>From first to last, seconds</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>How well people do</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Kept sets, by what answers them</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Least</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Length, seconds</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Mean</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Measure</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Median</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Most</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Multiple choice</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Of several answers more than half have to be right.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Of the sets that are settled. A set may lack several statements; of a rater, how many sets they would have discarded.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Paraphrased</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Paraphrased question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Primary</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Primary question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Reason</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Right</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Right answers, by video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Robustness: all five</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Robustness: of the videos with the primary question right, the share with all five right. Answers of people who had a part in a question do not count. From and to: the interval of 90 %.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Seconds</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Set</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Sets</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Share</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Share of the video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Stretches</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>The shortest stretches that prove an answer, of the sets that were kept.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Time to mark, seconds</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Time to mark: the median of its raters, from seeing the set to marking the stretches.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Type of question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>What proves each answer</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Wrongly led</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>Wrongly led question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>either of them</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>only both together</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>pictures alone</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>right</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>sound alone</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/benchmark_words.py"/><source>wrong</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board_rows.py"/><source>Changed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board_rows.py"/><source>Notes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board_rows.py"/><source>Priority</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board_rows.py"/><source>Round</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board_rows.py"/><source>Script</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board_rows.py"/><source>Stage</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board_rows.py"/><source>State</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board_rows.py"/><source>Task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board_rows.py"/><source>With</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board_rows.py"/><source>sent back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/bulk.py"/><source>1 task done.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/bulk.py"/><source>1 task.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/bulk.py"/><source>Stopped: {n} were not reached.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/bulk.py"/><source>{n} not: {reason}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/bulk.py"/><source>{n} tasks done.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/bulk.py"/><source>{n} tasks.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/export.py"/><source>Write a table</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/export.py"/><source>Wrote {name}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/figures.py"/><source>All</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/figures.py"/><source>{rate:.0%} ({n} of {all})</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/history.py"/><source>All have handed in; their work is put together.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/history.py"/><source>It came back to “{stage}”.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/history.py"/><source>It is not for {who}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/history.py"/><source>It waits at “{stage}”.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/history.py"/><source>One more person is asked.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/history.py"/><source>Somebody can take it again.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/history.py"/><source>The hold ran out; the draft is kept</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/history.py"/><source>The lead has to decide: {need}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/history.py"/><source>The program</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/history.py"/><source>The task is complete.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/history.py"/><source>The task was added.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/history.py"/><source>The work of several became one result.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/history.py"/><source>Who had it left the project</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/history.py"/><source>{by} added the task.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/history.py"/><source>{by} approved it</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/history.py"/><source>{by} closed the task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/history.py"/><source>{by} gave it back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/history.py"/><source>{by} gave it priority {n}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/history.py"/><source>{by} gave it to {who}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/history.py"/><source>{by} handed it in</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/history.py"/><source>{by} opened it again at “{stage}”</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/history.py"/><source>{by} opened round {n} at “{stage}”</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/history.py"/><source>{by} sent it back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/history.py"/><source>{by} skipped it</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/history.py"/><source>{by} took it back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/history.py"/><source>{by} took it out of the work</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/history.py"/><source>{by} took what had only been kept for the result of “{stage}”</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/history.py"/><source>{text} (frame {n})</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/history.py"/><source>{text}, setting a rule aside</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/history.py"/><source>{who} took it.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/items_box.py"/><source>Flags</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/items_box.py"/><source>Purpose</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/items_box.py"/><source>Videos</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/items_box.py"/><source>Why</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/open_answers_box.py"/><source>Answer</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/open_answers_box.py"/><source>Given</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/open_answers_box.py"/><source>Merge answers</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/open_answers_box.py"/><source>Merged</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/open_answers_box.py"/><source>Spelled</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/open_answers_box.py"/><source>They count as one from now on, in all that asks the same: {answers}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/open_answers_box.py"/><source>by {name}, {when}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_dialogs.py"/><source>Add a person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_dialogs.py"/><source>Change</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_dialogs.py"/><source>Raters annotate and check, reviewers judge, leads run the project; participants answer in studies and do nothing else.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_dialogs.py"/><source>Set the PIN</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people_dialogs.py"/><source>{name} is asked for it when they sign in: {least} characters or more.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/recipe_cards.py"/><source>Different people in each stage.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/recipe_cards.py"/><source>Whoever opens a video works on it. No roles, no sign-in, one task for each video.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sources.py"/><source>{path} – all in it</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/study_dialogs.py"/><source>1 answer</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/study_dialogs.py"/><source>1 item</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/study_dialogs.py"/><source>1 person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/study_dialogs.py"/><source>Deal again</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/study_dialogs.py"/><source>Make the study</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/study_dialogs.py"/><source>Nobody answers two items of one group.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/study_dialogs.py"/><source>One more person is needed, who had no part in them.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/study_dialogs.py"/><source>People who had no part in what is asked answer it, nobody the same twice. Votes and data sets know nothing of their answers.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/study_dialogs.py"/><source>Tick who answers.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/study_dialogs.py"/><source>What was begun stays with whoever began it. What people who are not ticked any more have not handed in goes to others.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/study_dialogs.py"/><source>but {people} × {each:,} = {sum:,}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/study_dialogs.py"/><source>{least:,} or {most:,}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/study_dialogs.py"/><source>{n:,} answers</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/study_dialogs.py"/><source>{n:,} items</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/study_dialogs.py"/><source>{n:,} more people are needed, who had no part in them.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/study_dialogs.py"/><source>{n:,} people</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/words.py"/><source>In other words</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/words.py"/><source>a rule was set aside</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/words.py"/><source>being put together</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/words.py"/><source>closed early</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/words.py"/><source>complete</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/words.py"/><source>guest</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/words.py"/><source>handed in late</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/words.py"/><source>handed in twice</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/words.py"/><source>handed in unasked</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/words.py"/><source>in progress</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/words.py"/><source>its stage is gone</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/words.py"/><source>lead</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/words.py"/><source>nobody is left for it</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/words.py"/><source>participant</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/words.py"/><source>rater</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/words.py"/><source>reviewer</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/words.py"/><source>waiting</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/words.py"/><source>withdrawn</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>packages</name>
    <message><location filename="../../annotator/ui/lead/packages.py"/><source>1 new submission</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/packages.py"/><source>1 submission</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/packages.py"/><source>1 task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/packages.py"/><source>1 task is not handed in yet.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/packages.py"/><source>1 video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/packages.py"/><source>1 video was not found beside the package. Locate it.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/packages.py"/><source>Collect submissions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/packages.py"/><source>Everything the person has in hand goes into the package, and as many further tasks from the queue as you say. They are theirs until they come back or you take them back on the board.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/packages.py"/><source>Export</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/packages.py"/><source>Export a work package</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/packages.py"/><source>Open a work package</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/packages.py"/><source>Projects (*.annot)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/packages.py"/><source>Return my work</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/packages.py"/><source>Submission files</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/packages.py"/><source>Submission files ({pattern});;All files (*)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/packages.py"/><source>The file is not there.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/packages.py"/><source>Where to work on it</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/packages.py"/><source>Work packages</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/packages.py"/><source>Wrote {path}: {n}. Send this file to the lead.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/packages.py"/><source>Wrote {path}: {tasks}, {new} of them given just now, {videos} inside.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/packages.py"/><source>{file} by {person}: {new}, {known} known already.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/packages.py"/><source>{n} new submissions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/packages.py"/><source>{n} submissions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/packages.py"/><source>{n} tasks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/packages.py"/><source>{n} tasks are not handed in yet.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/packages.py"/><source>{n} videos</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/packages.py"/><source>{n} videos were not found beside the package. Locate them one by one.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>review</name>
    <message><location filename="../../annotator/ui/review/words.py"/><source>Actions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>Came from: {old}; now {new}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>Changed: {what}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>Changed: {what} ({n})</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>Gone: {name}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>Keyframes gone ({n})</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>Name: “{old}”, now “{new}”</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>New keyframes ({n})</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>New object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>New point {name}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>New: {name}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>Nothing: all is new</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>Object is gone</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>Point belongs to: {old}; now {new}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>Point {name} is gone</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>Points without an object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>Sounds</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>a point that is gone</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>a segment that is gone</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>an object that is gone</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>attributes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>box</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>colour</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>end</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>frame {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>frames {start} to {end}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>imported facts</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>label</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>lane</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>number</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>occluded</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>origin</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>out of view</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>place in time</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>roles</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>start</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>the whole task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>{name}, roles: {old}; now {new}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>{name}: frames gone ({n})</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>{name}: frames {a} to {b}, now {c} to {d}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>{name}: moved or marked ({n})</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>{name}: new frames ({n})</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/words.py"/><source>“{old}”, now “{new}”</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>said</name>
    <message><location filename="../../annotator/ui/forms/said_words.py"/><source>Others, of {n}: {answers}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/said_words.py"/><source>Others: all {n} ticked the same</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/said_words.py"/><source>Others: {answers}</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>sentence</name>
    <message><location filename="../../annotator/ui/sentence.py"/><source>and?</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/sentence.py"/><source>what sounds?</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/sentence.py"/><source>{word} (not annotated)</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>submit</name>
    <message><location filename="../../annotator/ui/dialogs/submit.py"/><source>1 grid frame has not been checked.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/submit.py"/><source>1 proposal has not been accepted; it is not handed in.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/submit.py"/><source>Hand in this task as it is now?</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/submit.py"/><source>No object has been drawn.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/submit.py"/><source>Nothing is left open.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/submit.py"/><source>Submit</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/submit.py"/><source>{n} grid frames have not been checked.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/submit.py"/><source>{n} proposals have not been accepted; they are not handed in.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>timeline</name>
    <message><location filename="../../annotator/ui/timeline/comment_painter.py"/><source>Comments</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/segment_painter.py"/><source>Actions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/segment_painter.py"/><source>Sounds</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/strip_painter.py"/><source>Computing …</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/strip_painter.py"/><source>No sound</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/strip_painter.py"/><source>Spectrogram</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/strip_painter.py"/><source>Waveform</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/strip_painter.py"/><source>computing, {done}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/strip_painter.py"/><source>muted</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/words.py"/><source> (resolved)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/words.py"/><source>Accepted from a proposal</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/words.py"/><source>Ctrl+0 or a double-click on the bar above: whole video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/words.py"/><source>Drag: go there · Shift+drag: mark a range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/words.py"/><source>Draw a box on the picture to begin a track</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/words.py"/><source>Draw on the lane of sounds to mark a sound</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/words.py"/><source>Frame {frame}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/words.py"/><source>Frames {first} to {last}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/words.py"/><source>Imported</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/words.py"/><source>Keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/words.py"/><source>Keyframe, accepted from a proposal</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/words.py"/><source>Keyframe, imported</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/words.py"/><source>No video is open</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/words.py"/><source>Objects: {names}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/words.py"/><source>Out of view from here</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/words.py"/><source>Placed by a person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/words.py"/><source>Proposed, {percent} % sure</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/words.py"/><source>What sounds is out of view</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/words.py"/><source>Wheel, + and -: zoom · Double-click: zoom to the range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/words.py"/><source>grid frames to check: {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/words.py"/><source>occluded</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/words.py"/><source>out of view</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/words.py"/><source>{here} of {end}. Tracks: {n}, segments: {m}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/words.py"/><source>{label} {number}: frames {first} to {last}, keyframes: {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/words.py"/><source>{name}: frames {first} to {last}, marked: {n}, by a person: {m}</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>tools</name>
    <message><location filename="../../annotator/ui/tool_rules.py"/><source>Choose a label, mark start and end with I and O, and press Enter</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/tool_rules.py"/><source>In this task nothing is drawn.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/tool_rules.py"/><source>In this task only actions are marked.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/tool_rules.py"/><source>In this task only boxes are drawn.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/tool_rules.py"/><source>In this task only points are drawn.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/tool_rules.py"/><source>In this task only sounds are marked.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/tool_rules.py"/><source>In this task only these are worked on: {tools}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/tool_rules.py"/><source>Select an object, press {key} and click one of its parts</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/tool_rules.py"/><source>actions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/tool_rules.py"/><source>boxes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/tool_rules.py"/><source>points</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/tool_rules.py"/><source>sounds</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>transfers</name>
    <message><location filename="../../annotator/ui/transfers.py"/><source>1 box</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/transfers.py"/><source>1 object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/transfers.py"/><source>1 point</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/transfers.py"/><source>1 question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/transfers.py"/><source>1 record had been imported before.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/transfers.py"/><source>1 record of this file cannot be used.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/transfers.py"/><source>1 record of this file was imported before.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/transfers.py"/><source>1 segment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/transfers.py"/><source>1 video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/transfers.py"/><source>Export</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/transfers.py"/><source>Frame numbers proved against OpenCV for {n} of {all} videos.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/transfers.py"/><source>Import</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/transfers.py"/><source>Import the rest</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/transfers.py"/><source>Imported {path}: {what}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/transfers.py"/><source>Keep both</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/transfers.py"/><source>Leave as they are</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/transfers.py"/><source>Leave them as they are now, with all edits, or put the file's in their place?</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/transfers.py"/><source>No entry was given a video: nothing was imported.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/transfers.py"/><source>Nothing has been imported. Import the rest without them?</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/transfers.py"/><source>Replace</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/transfers.py"/><source>Some records break the rules of the format; see below.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/transfers.py"/><source>This object is in another video.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/transfers.py"/><source>Wrote {path}: {what}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/transfers.py"/><source>{n} boxes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/transfers.py"/><source>{n} objects</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/transfers.py"/><source>{n} points</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/transfers.py"/><source>{n} questions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/transfers.py"/><source>{n} records had been imported before.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/transfers.py"/><source>{n} records of this file cannot be used.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/transfers.py"/><source>{n} records of this file were imported before.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/transfers.py"/><source>{n} segments</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/transfers.py"/><source>{n} videos</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>value</name>
    <message><location filename="../../annotator/ui/forms/value_words.py"/><source>frames {a} to {b}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/value_words.py"/><source>no</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/value_words.py"/><source>yes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/value_words.py"/><source>{n} objects</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/value_words.py"/><source>{sides} pixels on frame {n}</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>viewing</name>
    <message><location filename="../../annotator/ui/forms/viewing_words.py"/><source>one picture</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/viewing_words.py"/><source>up to the cut</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/viewing_words.py"/><source>without sound</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>words</name>
    <message><location filename="../../annotator/ui/words.py"/><source> and </source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>A sound over silence</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>About the file</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Accept proposals</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>All objects out of view</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Answer</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Between keyframes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Change comment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Change object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Change point</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Change segment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Clear point</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Clear the answer</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Copy segment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Delete comment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Delete keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Delete keyframes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Delete object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Delete point</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Delete segment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Dismiss proposals</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Draw object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Draw segment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Empty box</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Ends after the video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Few points</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Fill role</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Frames left to do</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Grid frames not checked</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Held from before</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Import annotations</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Join objects</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Keyframe: out of view</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Label is not in the set</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Lost its object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Lost its parent</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Make the demo</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Mark point</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Merge segments</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Move box</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Never in the picture</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>New point</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>No name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Not answered</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Not begun yet</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Occluded</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Open role</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Out of view</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Place point</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Proposals are waiting</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Rename label</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Reply to comment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Resolve comment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Split into children</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Split object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Split segment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Swap objects</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Take back a change</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Text is too short</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>The same action twice</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>The same object twice</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Too few answers</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Very small box</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>Write comment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>at {time}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>in progress</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>just now</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>submitted</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>the object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>to do</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>{n} min ago</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>{n} s ago</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/words.py"/><source>{what} went along.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>work</name>
    <message><location filename="../../annotator/ui/work/words.py"/><source>lead</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/words.py"/><source>participant</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/words.py"/><source>rater</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/words.py"/><source>reviewer</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/words.py"/><source>{h} h {m:02d} min</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/words.py"/><source>{n} min</source><translation type="unfinished"></translation></message>
</context>
</TS>
