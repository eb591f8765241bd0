<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1">
<context>
    <name>AboutDialog</name>
    <message><location filename="../../annotator/ui/dialogs/help_windows.py"/><source>About annotator</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/help_windows.py"/><source>Annotate video and audio with box tracks, point tracks, and segments. MIT license. No data leaves your computer.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/help_windows.py"/><source>Component</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/help_windows.py"/><source>Components and licenses</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/help_windows.py"/><source>License and use</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/help_windows.py"/><source>Version</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ActionTable</name>
    <message><location filename="../../annotator/ui/actions/table.py"/><source>Same as in</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/table.py"/><source>“{name}” is available {when}.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>Acts</name>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>Assign</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>Assign the selected tasks to a person.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>Assign…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>Cannot use another submission as the result: all submissions of this task already count.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>Make gold tasks from the results of the selected complete tasks.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>Mark as complete</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>Mark as complete…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>Mark the selected tasks as complete with their last submission.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>Reopen</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>Reopen the selected tasks at a stage of your choice.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>Reopen…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>Send complete tasks through the later stages again.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>Set priority</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>Set priority…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>Set the queue priority of the selected tasks.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>Start new round</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>Start new round…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>The submission of {name} from {when} becomes the result. The later stages are repeated.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>The tasks are marked as complete. Their last submission is the result.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>The tasks return to the queue of a stage. Any eligible person can claim them.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>The tasks return to their queue. Drafts are kept.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>Unassign</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>Unassign the selected tasks. Drafts are kept.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>Unassign…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>Use a late or unassigned submission as the result of its stage.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>Use as result</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>Use as result…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>Use for gold tasks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>Withdraw</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>Withdraw the selected tasks from all queues.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>Withdrawn tasks leave all queues until they are reopened. No data is deleted.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>Withdraw…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>{n} of {m} results are now used for gold tasks.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>AddDialog</name>
    <message><location filename="../../annotator/ui/lead/setup/bulk_import.py"/><source>Add many videos</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/bulk_import.py"/><source>Add videos</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/bulk_import.py"/><source>Metadata</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/bulk_import.py"/><source>Videos</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>AgreementBox</name>
    <message><location filename="../../annotator/ui/lead/answers/agreement_box.py"/><source>All except single items</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/agreement_box.py"/><source>Cancel</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/agreement_box.py"/><source>Compute agreement</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/agreement_box.py"/><source>Export CSV…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/agreement_box.py"/><source>Export “Inter-rater agreement” as CSV</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/agreement_box.py"/><source>Inter-rater agreement</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/agreement_box.py"/><source>Recompute the values of a statistics file and report differences.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/agreement_box.py"/><source>Resolved tasks only. CI lower and CI upper: 95% bootstrap confidence interval over items.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/agreement_box.py"/><source>Search</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/agreement_box.py"/><source>Select a task type, then click Compute agreement.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/agreement_box.py"/><source>Statistics (*.csv *.json)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/agreement_box.py"/><source>Subset</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/agreement_box.py"/><source>Task type</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/agreement_box.py"/><source>Verify statistics file</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/agreement_box.py"/><source>Verify statistics file…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/agreement_box.py"/><source>{n} invalid votes are ignored. Run “annotator check” to list them.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/agreement_box.py"/><source>{n} of {all}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/agreement_box.py"/><source>{task}: agreement computed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/agreement_box.py"/><source>{task}: median answer time {seconds:.1f} s</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/agreement_box.py"/><source>{task}: no resolved items yet</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>AnswersPage</name>
    <message><location filename="../../annotator/ui/lead/answers/page.py"/><source>Accuracy</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/page.py"/><source>Accuracy by person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/page.py"/><source>Accuracy with its 95% Wilson confidence interval.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/page.py"/><source>Answers</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/page.py"/><source>CI lower</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/page.py"/><source>CI upper</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/page.py"/><source>Correct</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/page.py"/><source>Discard reasons</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/page.py"/><source>Inter-rater agreement</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/page.py"/><source>Item list</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/page.py"/><source>Items</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/page.py"/><source>Items and people</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/page.py"/><source>Open answers</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/page.py"/><source>Person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/page.py"/><source>Purpose</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/page.py"/><source>Qualification status</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/page.py"/><source>Reason</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/page.py"/><source>Task type</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/page.py"/><source>Total</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>Assembly</name>
    <message><location filename="../../annotator/ui/shell/assembly.py"/><source>Changes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/shell/assembly.py"/><source>Comments</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/shell/assembly.py"/><source>Task</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>AssignDialog</name>
    <message><location filename="../../annotator/ui/lead/board/board_dialogs.py"/><source>&amp;Person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/board_dialogs.py"/><source>&amp;Reason</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/board_dialogs.py"/><source>Override roles and the one-stage-per-person rule</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/board_dialogs.py"/><source>The override and its reason are recorded. Reviewing one's own work remains impossible.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/board_dialogs.py"/><source>The reason is recorded.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>AttributeFields</name>
    <message><location filename="../../annotator/ui/panels/attribute_fields.py"/><source>Holds from this frame on.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/attribute_fields.py"/><source>Occluder (hides other objects)</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>AttributesDialog</name>
    <message><location filename="../../annotator/ui/dialogs/project/attributes_dialog.py"/><source>&amp;Applies to</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/attributes_dialog.py"/><source>&amp;Default</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/attributes_dialog.py"/><source>&amp;Highest</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/attributes_dialog.py"/><source>&amp;Key</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/attributes_dialog.py"/><source>&amp;Lowest</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/attributes_dialog.py"/><source>&amp;Options</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/attributes_dialog.py"/><source>&amp;Shortcut</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/attributes_dialog.py"/><source>&amp;Title</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/attributes_dialog.py"/><source>Add</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/attributes_dialog.py"/><source>All, or labels separated by commas</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/attributes_dialog.py"/><source>Attributes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/attributes_dialog.py"/><source>Can change within a track</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/attributes_dialog.py"/><source>Checkbox</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/attributes_dialog.py"/><source>Choice</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/attributes_dialog.py"/><source>Hel&amp;p</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/attributes_dialog.py"/><source>La&amp;bels</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/attributes_dialog.py"/><source>Name in files, for example material</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/attributes_dialog.py"/><source>Name in the window</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/attributes_dialog.py"/><source>Number</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/attributes_dialog.py"/><source>Remove</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/attributes_dialog.py"/><source>Required</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/attributes_dialog.py"/><source>T&amp;ype</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/attributes_dialog.py"/><source>Text</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/attributes_dialog.py"/><source>The key “{key}” is used twice.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/attributes_dialog.py"/><source>Value where none was set</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/attributes_dialog.py"/><source>Values, separated by commas</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/attributes_dialog.py"/><source>actions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/attributes_dialog.py"/><source>objects</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/attributes_dialog.py"/><source>points</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/attributes_dialog.py"/><source>sounds</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/attributes_dialog.py"/><source>“{value}” is not a number.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/attributes_dialog.py"/><source>“{value}” is not a value of this attribute.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>BackupsDialog</name>
    <message><location filename="../../annotator/ui/dialogs/project/backup_dialog.py"/><source>Backups</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/backup_dialog.py"/><source>Cannot open {path}: {reason}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/backup_dialog.py"/><source>No backup of this project exists.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/backup_dialog.py"/><source>Restore backup</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/backup_dialog.py"/><source>Select a backup to restore. The damaged file is kept in the same folder.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/backup_dialog.py"/><source>The project is damaged</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>BenchmarkTables</name>
    <message><location filename="../../annotator/ui/lead/answers/page.py"/><source>Benchmark tables</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>BoardPage</name>
    <message><location filename="../../annotator/ui/lead/board/page.py"/><source>Board</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/page.py"/><source>Export CSV…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/page.py"/><source>History</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/page.py"/><source>No task matches the filters.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/page.py"/><source>No tasks yet. The steps on the page Questions create them.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/page.py"/><source>No tasks yet. They come with the videos of the project.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/page.py"/><source>Open (read-only)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/page.py"/><source>Open the task in the main window without claiming it.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/page.py"/><source>Select a task to see the history of its video.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/page.py"/><source>Tasks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/page.py"/><source>Video history</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/page.py"/><source>{n:,} of {all:,} selected</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>BoxEditor</name>
    <message><location filename="../../annotator/ui/forms/fields/box.py"/><source>Add box in the center</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/box.py"/><source>Cannot place the box on this frame. Draw it on frame {n}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/box.py"/><source>Delete box</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/box.py"/><source>Drag a box around the object on frame {n}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/box.py"/><source>Drag a box around the object.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/box.py"/><source>Draw in the video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/box.py"/><source>Frame {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/box.py"/><source>Go to box frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/box.py"/><source>Go to the correct frame with the arrow keys, then drag a box around the object.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/box.py"/><source>Height</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/box.py"/><source>Left</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/box.py"/><source>Top</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/box.py"/><source>Width</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>CanvasTools</name>
    <message><location filename="../../annotator/ui/canvas/input/tools.py"/><source>Select an object on this frame first (Tab).</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/input/tools.py"/><source>The object is out of view on this frame. Draw or drag its box first.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>CanvasView</name>
    <message><location filename="../../annotator/ui/canvas/canvas_view.py"/><source>This side shows the earlier submission and is read-only. Edit the other side.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/canvas_view.py"/><source>Video canvas</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ChangeRows</name>
    <message><location filename="../../annotator/ui/review/changes_panel.py"/><source>Accepted</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/changes_panel.py"/><source>Change</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/changes_panel.py"/><source>Frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/changes_panel.py"/><source>Not reviewed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/changes_panel.py"/><source>Rejected: {why}</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ChangesPanel</name>
    <message><location filename="../../annotator/ui/review/changes_panel.py"/><source>Changes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/changes_panel.py"/><source>Compare with</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/changes_panel.py"/><source>Divider</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/changes_panel.py"/><source>No changes found.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/changes_panel.py"/><source>Open a task to see its changes.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/changes_panel.py"/><source>Overlay</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/changes_panel.py"/><source>Side by side</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/changes_panel.py"/><source>This task has no submissions yet. Changes appear here after the first submission.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/changes_panel.py"/><source>{n} added</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/changes_panel.py"/><source>{n} changed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/changes_panel.py"/><source>{n} of {m} not reviewed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/changes_panel.py"/><source>{n} removed</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ChartCard</name>
    <message><location filename="../../annotator/ui/lead/statistics/cards.py"/><source>Show “{title}” as a table</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/cards.py"/><source>Table</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ChecklistPanel</name>
    <message><location filename="../../annotator/ui/work/guideline_panels.py"/><source>Checked once something is annotated.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/guideline_panels.py"/><source>Checklist</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/guideline_panels.py"/><source>Click to go to the next issue.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/guideline_panels.py"/><source>No task is open.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/guideline_panels.py"/><source>Select this item after you have checked it.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/guideline_panels.py"/><source>The automatic checks found no issues.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/guideline_panels.py"/><source>This task has no checklist.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/guideline_panels.py"/><source>{done} of {n} done</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ChildrenDialog</name>
    <message><location filename="../../annotator/ui/panels/children_dialog.py"/><source>Add child</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/children_dialog.py"/><source>Name of child {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/children_dialog.py"/><source>Split</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/children_dialog.py"/><source>Split into children</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/children_dialog.py"/><source>“{name}” ends at frame {frame}. Enter the names of the new objects (for example, egg shells and egg content for an egg):</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ChoiceEditor</name>
    <message><location filename="../../annotator/ui/forms/fields/choice_fields.py"/><source>In your own words</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/choice_fields.py"/><source>Other:</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/choice_fields.py"/><source>{title}: other</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ChooseDialog</name>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>Claim task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>Search</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>Search tasks by video name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>Select task: {stage}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>Waiting tasks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>sent back</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>Collecting</name>
    <message><location filename="../../annotator/ui/lead/sharing/hub_collection.py"/><source>1 submission collected.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/hub_collection.py"/><source>1 task published.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/hub_collection.py"/><source>Collect from the hub</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/hub_collection.py"/><source>Invite</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/hub_collection.py"/><source>Passwords are not shown again. Tell them to the people another way.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/hub_collection.py"/><source>Share the work</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/hub_collection.py"/><source>{name}: {path}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/hub_collection.py"/><source>{name}: {path}, password {password}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/hub_collection.py"/><source>{n} submissions collected.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/hub_collection.py"/><source>{n} tasks published.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ColumnMenu</name>
    <message><location filename="../../annotator/ui/lead/board/page.py"/><source>Right-click to choose the columns.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ColumnsDialog</name>
    <message><location filename="../../annotator/ui/dialogs/project/import_questions.py"/><source>(not imported)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_questions.py"/><source>Column</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_questions.py"/><source>Columns of the table</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_questions.py"/><source>Contains</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_questions.py"/><source>Content of column {name}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_questions.py"/><source>Continue</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_questions.py"/><source>First values</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_questions.py"/><source>Select what each column contains. Boxes need frame, x1, y1 and x2, y2 or width, height; points need frame, x and y; actions and sounds need a start and an end in seconds or frames.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>CommentActions</name>
    <message><location filename="../../annotator/ui/review/comment_actions.py"/><source>Edit comment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/comment_actions.py"/><source>New comment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/comment_actions.py"/><source>Reply</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>CommentDialog</name>
    <message><location filename="../../annotator/ui/review/comment_dialog.py"/><source>Comment text</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/comment_dialog.py"/><source>Refers to</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>CommentRows</name>
    <message><location filename="../../annotator/ui/review/comments_panel.py"/><source>Edited</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>CommentsPanel</name>
    <message><location filename="../../annotator/ui/review/comments_panel.py"/><source>All comments are resolved.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/comments_panel.py"/><source>Comments</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/comments_panel.py"/><source>Delete</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/comments_panel.py"/><source>Edit…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/comments_panel.py"/><source>No comments yet.
Press Shift+C to comment on the selection or on this frame.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/comments_panel.py"/><source>Open a task to see its comments.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/comments_panel.py"/><source>Reopen</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/comments_panel.py"/><source>Reply…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/comments_panel.py"/><source>Resolve</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/comments_panel.py"/><source>Show resolved</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/comments_panel.py"/><source>{n} of {m} open</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ComparisonView</name>
    <message><location filename="../../annotator/ui/lead/dataset/comparison_view.py"/><source>Evaluate two models: each video becomes a dot, with one model on each axis.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/comparison_view.py"/><source>Horizontal</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/comparison_view.py"/><source>Horizontal axis</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/comparison_view.py"/><source>Metric</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/comparison_view.py"/><source>Vertical</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/comparison_view.py"/><source>Vertical axis</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/comparison_view.py"/><source>{n} videos: {second} is better in {more}, {first} in {less}, equal in {same}. Click a dot to open the video.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ConfidenceEditor</name>
    <message><location filename="../../annotator/ui/forms/fields/choice_fields.py"/><source>completely sure</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/choice_fields.py"/><source>not sure at all</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>CrashDialog</name>
    <message><location filename="../../annotator/ui/dialogs/crash_dialog.py"/><source>An unexpected error occurred on {at}. Your edits were saved. This report stays on your computer. You can send it to the maintainers.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/crash_dialog.py"/><source>Copy</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/crash_dialog.py"/><source>Error report</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/crash_dialog.py"/><source>More reports in the folder: {n}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/crash_dialog.py"/><source>Report</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/crash_dialog.py"/><source>Show folder</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>CurvesPanel</name>
    <message><location filename="../../annotator/ui/timeline/curves.py"/><source>Motion curves</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/curves.py"/><source>Select a point to see its motion.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/curves.py"/><source>speed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/curves.py"/><source>x</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/curves.py"/><source>y</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>DataSetPage</name>
    <message><location filename="../../annotator/ui/lead/dataset/page.py"/><source>Data set</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/page.py"/><source>Evaluation</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/page.py"/><source>Issues</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/page.py"/><source>Near-duplicates</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/page.py"/><source>Release</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/page.py"/><source>Splits</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/page.py"/><source>Statistics</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>Divider</name>
    <message><location filename="../../annotator/ui/canvas/compare.py"/><source>Comparison divider</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/compare.py"/><source>Drag to compare: earlier submission left, current state right</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>DockTitles</name>
    <message><location filename="../../annotator/ui/shell/side_panels.py"/><source>Close</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/shell/side_panels.py"/><source>Float</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>DuplicatesView</name>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source> (there are more)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>1 suspicious pair</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>1 video is not scanned; its pictures are not compared.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Also within a split</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Compute picture hashes of videos that have none yet</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Different bits</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Near-duplicates</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Other video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Pairs of similar videos appear here after their pictures are scanned.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Pictures</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Reason</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Scan videos</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Select a pair to see its pictures side by side.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Split</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>The video file is missing.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>no split</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>{n:,} suspicious pairs</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>{n:,} videos are not scanned; their pictures are not compared.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>EditItemDialog</name>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>&amp;Question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>&amp;Reason</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>Correct answer</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>Edit item</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>Option {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>The earlier text, your name and the reason are kept with the item.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>The reason is recorded.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>EntriesDialog</name>
    <message><location filename="../../annotator/ui/dialogs/project/import_questions.py"/><source>(do not import)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_questions.py"/><source>Continue</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_questions.py"/><source>Entries in the file</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_questions.py"/><source>Entry</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_questions.py"/><source>Import</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_questions.py"/><source>The project has no videos with these names. Select a video for each entry of the file. Entries without a video are not imported.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_questions.py"/><source>Video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_questions.py"/><source>Video for entry {name}</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>EvaluationView</name>
    <message><location filename="../../annotator/ui/lead/dataset/evaluation_view.py"/><source>1 table exported</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/evaluation_view.py"/><source>Add predictions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/evaluation_view.py"/><source>Add predictions…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/evaluation_view.py"/><source>Columns</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/evaluation_view.py"/><source>Columns by which results are listed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/evaluation_view.py"/><source>Content</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/evaluation_view.py"/><source>Evaluate</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/evaluation_view.py"/><source>Evaluation</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/evaluation_view.py"/><source>Export results</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/evaluation_view.py"/><source>Export results…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/evaluation_view.py"/><source>Group by</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/evaluation_view.py"/><source>Metric</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/evaluation_view.py"/><source>Model</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/evaluation_view.py"/><source>Models</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/evaluation_view.py"/><source>Predictions (*.json *.jsonl *.csv *.txt *.xml *.eaf *.tsv);;All files (*)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/evaluation_view.py"/><source>Predictions and annotations have no task in common.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/evaluation_view.py"/><source>Remove predictions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/evaluation_view.py"/><source>Results</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/evaluation_view.py"/><source>Select a model first.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/evaluation_view.py"/><source>Select baselines or add files of predictions, for example results of the Perception Test challenges, and click Evaluate. The results of all models appear side by side, with 95% confidence intervals over videos.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/evaluation_view.py"/><source>Show prediction</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/evaluation_view.py"/><source>Task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/evaluation_view.py"/><source>The evaluation is complete. Some predictions were not used as they are.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/evaluation_view.py"/><source>The worst results appear here after an evaluation.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/evaluation_view.py"/><source>Two models</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/evaluation_view.py"/><source>Value</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/evaluation_view.py"/><source>Video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/evaluation_view.py"/><source>Worst results first</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/evaluation_view.py"/><source>Worst results of</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/evaluation_view.py"/><source>{n} tables exported</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ExportDialog</name>
    <message><location filename="../../annotator/ui/dialogs/project/export_dialog.py"/><source>&amp;Contents</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/export_dialog.py"/><source>&amp;Format</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/export_dialog.py"/><source>&amp;License</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/export_dialog.py"/><source>&amp;Split</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/export_dialog.py"/><source>&amp;Task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/export_dialog.py"/><source>&amp;Web address</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/export_dialog.py"/><source>C&amp;itation</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/export_dialog.py"/><source>C&amp;reator</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/export_dialog.py"/><source>Contains {what}. The report lists what is not exported.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/export_dialog.py"/><source>Export annotations</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/export_dialog.py"/><source>Export…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/export_dialog.py"/><source>F&amp;rames</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/export_dialog.py"/><source>Images or videos are written into a new folder.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/export_dialog.py"/><source>One file per video, in a folder if there are several.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/export_dialog.py"/><source>Select the task of the submission.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/export_dialog.py"/><source>TAP-Vid files contain every frame.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/export_dialog.py"/><source>TAP-Vid files contain every frame. The images require up to {size}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/export_dialog.py"/><source>Videos</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/export_dialog.py"/><source>actions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/export_dialog.py"/><source>all</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/export_dialog.py"/><source>all annotations</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/export_dialog.py"/><source>all frames</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/export_dialog.py"/><source>as set for each video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/export_dialog.py"/><source>grid frames (one per second)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/export_dialog.py"/><source>grounded questions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/export_dialog.py"/><source>keyframes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/export_dialog.py"/><source>multiple-choice questions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/export_dialog.py"/><source>object tracks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/export_dialog.py"/><source>point tracks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/export_dialog.py"/><source>public test data, without answers</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/export_dialog.py"/><source>sounds</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/export_dialog.py"/><source>submission for one task, in evaluation format</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/export_dialog.py"/><source>submission for one task, multiple choice under its task key</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>FactsBox</name>
    <message><location filename="../../annotator/ui/lead/setup/metadata_box.py"/><source>1 file has no row:</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/metadata_box.py"/><source>1 row matches no file:</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/metadata_box.py"/><source>1 row.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/metadata_box.py"/><source>Optional: a CSV or JSON table with one row per video. The column “video” contains the video name. Known columns are script, variation, participant, camera, indoor, split, and cut_frame. Other columns are kept unchanged.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/metadata_box.py"/><source>Read table</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/metadata_box.py"/><source>Reading…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/metadata_box.py"/><source>Remove table</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/metadata_box.py"/><source>Select table</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/metadata_box.py"/><source>Select table…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/metadata_box.py"/><source>Table preview</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/metadata_box.py"/><source>Tables (*.csv *.tsv *.json);;All files (*)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/metadata_box.py"/><source>video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/metadata_box.py"/><source>{n:,} files have no row:</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/metadata_box.py"/><source>{n:,} rows match no file:</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/metadata_box.py"/><source>{n:,} rows.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>FeedbackCard</name>
    <message><location filename="../../annotator/ui/work/task_strips.py"/><source>Mark as read</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_strips.py"/><source>Mark this message as read and hide it.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_strips.py"/><source>Open task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_strips.py"/><source>Open the task that this message refers to.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>FieldBlock</name>
    <message><location filename="../../annotator/ui/forms/fields/block.py"/><source>Use</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/block.py"/><source>Use predicted answer: {text}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/block.py"/><source>at least {low}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/block.py"/><source>exactly {low}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/block.py"/><source>one</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/block.py"/><source>optional</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/block.py"/><source>required</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/block.py"/><source>up to {high}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/block.py"/><source>{low} to {high}</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>FilterBar</name>
    <message><location filename="../../annotator/ui/lead/board/filter_bar.py"/><source>Agreement &lt; </source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/filter_bar.py"/><source>Agreement below</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/filter_bar.py"/><source>All flags</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/filter_bar.py"/><source>All issues</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/filter_bar.py"/><source>All metadata</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/filter_bar.py"/><source>All people</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/filter_bar.py"/><source>All scripts</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/filter_bar.py"/><source>All states</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/filter_bar.py"/><source>All task types</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/filter_bar.py"/><source>Any agreement</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/filter_bar.py"/><source>Clear filters</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/filter_bar.py"/><source>Empty: any value in this column.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/filter_bar.py"/><source>Filter by agreement between the last two submissions of a task.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/filter_bar.py"/><source>Filter by issues in the latest submission.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/filter_bar.py"/><source>Flags</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/filter_bar.py"/><source>Involvement of the person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/filter_bar.py"/><source>Issues</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/filter_bar.py"/><source>Label</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/filter_bar.py"/><source>Lead decision needed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/filter_bar.py"/><source>Metadata column</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/filter_bar.py"/><source>More filters</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/filter_bar.py"/><source>Person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/filter_bar.py"/><source>Script</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/filter_bar.py"/><source>Search videos</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/filter_bar.py"/><source>Sent back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/filter_bar.py"/><source>Show tasks of videos that contain this exact label.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/filter_bar.py"/><source>State</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/filter_bar.py"/><source>Task type</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/filter_bar.py"/><source>Value contains</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/filter_bar.py"/><source>current assignee</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/filter_bar.py"/><source>ever involved</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>FindingsPanel</name>
    <message><location filename="../../annotator/ui/panels/findings_panel.py"/><source>Issues</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/findings_panel.py"/><source>No issues found.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/findings_panel.py"/><source>No video is open.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>FlagEditor</name>
    <message><location filename="../../annotator/ui/forms/form_view.py"/><source>Describe the problem briefly</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/form_view.py"/><source>Problem description</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>FormPreview</name>
    <message><location filename="../../annotator/ui/forms/preview.py"/><source>Clear answers</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/preview.py"/><source>First option</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/preview.py"/><source>Here raters continue with the next question.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/preview.py"/><source>Preview of “{title}”</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/preview.py"/><source>Second option</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/preview.py"/><source>Task type</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/preview.py"/><source>Text of the question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/preview.py"/><source>The question has options</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/preview.py"/><source>Third option</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>FrameField</name>
    <message><location filename="../../annotator/ui/bars/transport.py"/><source>Frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/bars/transport.py"/><source>Frame number, starting at 0. Press Enter to go to it.</source><translation type="unfinished"></translation></message>
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
    <name>GoldPage</name>
    <message><location filename="../../annotator/ui/lead/people/gold_page.py"/><source>Boxes (IoU)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/gold_page.py"/><source>Completeness (F1)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/gold_page.py"/><source>Do not use</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/gold_page.py"/><source>Edges (ms)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/gold_page.py"/><source>Error per week</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/gold_page.py"/><source>Errors appear here after the first gold task is submitted.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/gold_page.py"/><source>Errors by person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/gold_page.py"/><source>Export scores…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/gold_page.py"/><source>Gold tasks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/gold_page.py"/><source>In parentheses: change per week</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/gold_page.py"/><source>Measure</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/gold_page.py"/><source>No further gold tasks are made from the selected results. Scores are kept.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/gold_page.py"/><source>No gold task submitted yet.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/gold_page.py"/><source>No references yet.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/gold_page.py"/><source>Open (read-only)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/gold_page.py"/><source>Out of limits</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/gold_page.py"/><source>Person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/gold_page.py"/><source>Points (px)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/gold_page.py"/><source>Raters get copies of these tasks among their own without any sign. To add results, select complete tasks on the board and click “Use for gold tasks”.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/gold_page.py"/><source>Reference</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/gold_page.py"/><source>References</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/gold_page.py"/><source>Task type</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/gold_page.py"/><source>Used</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/gold_page.py"/><source>limit {value:g}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/gold_page.py"/><source>week of {day}: {value} ({n})</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/gold_page.py"/><source>{name} – not in use</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/gold_page.py"/><source>{n} reference</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/gold_page.py"/><source>{n} references</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/gold_page.py"/><source>{n} task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/gold_page.py"/><source>{n} tasks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/gold_page.py"/><source>{title}: {n}. Add at least {wanted} so that all raters can be measured.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>GradedItem</name>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>1 · poor</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>2 · fair</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>3 · good</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>4 · very good</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Answer {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Gold answer: {words}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Item</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Question {n}: {grade}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>{n}. {text}</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>GradingPage</name>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Answers of this person no longer count and are asked again of others.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Attempt</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Enter a reason: it is kept in the history of each task.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Mean {mean}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>No tests are waiting for grading.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Note</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Note on the grades</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Note to the person (optional)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Open (read-only)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Previous failures no longer count.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Qualification</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Qualification status</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Reason (optional)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Reason for the reset or suspension</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Reset qualification</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Results of tests and attention checks appear here.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Score</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Set by</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Since</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Status</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Submit grades</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Submitted</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Submitted answers</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Suspend person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Task type</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Test</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Tests to grade</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Tests to grade ({n})</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>The answers of {name} were voided in {n} tasks.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>The grades are sent to {name}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Their assigned tasks of this type return to the queue.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Too few attention checks for “{title}”: {n}, and each person meets about {needed}. The same ones come again.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Void the answers of {name} in 1 task?</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Void the answers of {name} in {n} tasks?</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Void votes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Void votes…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>Without them, {same} of {all} items keep their answer, {other} get another answer and {open} have none. The tasks return to the queue for another person. The submissions are kept.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>automatic</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>{name} has no votes that count in these tasks.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/grading_page.py"/><source>{n} failed</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>GuideBrowser</name>
    <message><location filename="../../annotator/ui/dialogs/help_windows.py"/><source>User guide</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>GuideDialog</name>
    <message><location filename="../../annotator/ui/dialogs/help_windows.py"/><source>Back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/help_windows.py"/><source>Contents</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/help_windows.py"/><source>Forward</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/help_windows.py"/><source>No page contains these words.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/help_windows.py"/><source>Search the guide</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/help_windows.py"/><source>User guide</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>GuidelineView</name>
    <message><location filename="../../annotator/ui/work/guideline_panels.py"/><source>Guidelines</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>GuidelinesPanel</name>
    <message><location filename="../../annotator/ui/work/guideline_panels.py"/><source>No task is open.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/guideline_panels.py"/><source>This task has no guidelines.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/guideline_panels.py"/><source>{title} (round {n})</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>HistoryList</name>
    <message><location filename="../../annotator/ui/lead/board/history.py"/><source>History</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>HubCard</name>
    <message><location filename="../../annotator/ui/work/shared/hub_exchange.py"/><source>1 submission to send</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/shared/hub_exchange.py"/><source>1 task ready</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/shared/hub_exchange.py"/><source>Connected to {place}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/shared/hub_exchange.py"/><source>Connecting to {place}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/shared/hub_exchange.py"/><source>Exchange now</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/shared/hub_exchange.py"/><source>Last contact {time}. </source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/shared/hub_exchange.py"/><source>Mark as read</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/shared/hub_exchange.py"/><source>Message from a lead, {time}: {text}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/shared/hub_exchange.py"/><source>Send what waits and look for messages.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/shared/hub_exchange.py"/><source>You can continue to work: {stock}, {waiting}. Nothing is lost.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/shared/hub_exchange.py"/><source>{n} submissions to send</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/shared/hub_exchange.py"/><source>{n} tasks ready</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ImportPlanDialog</name>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>1 action</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>1 invalid record is skipped.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>1 object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>1 point</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>1 sound</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>1 video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>A submission counts as the first stage of each task. Started tasks are not changed.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>As annotations</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>As drafts: the tasks are assigned to you</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>As proposals of a model: raters accept or dismiss them</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>As submissions: other people continue</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>Columns…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>Complete</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>Continue at</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>Import</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>Import plan</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>Import valid records</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>Leave out keyframes that interpolation gives (2 px)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>Messages about the selected video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>Model</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>No messages.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>Optional</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>Proposals appear when a rater begins the task. They are not annotations, and are not exported, until they are accepted.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>Records imported before</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>The file has no valid records. Nothing can be imported.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>To be imported: {what}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>Track the gaps between keyframes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>Version</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>import again</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>keep existing</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>replace</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>{n} actions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>{n} invalid records are skipped.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>{n} objects</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>{n} points</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>{n} sounds</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>{n} videos</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>Inspector</name>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source> (and {n} more selected)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source> ({n})</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>&amp;Name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>Accepted: {state}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>Box</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>History</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>Imported: {state}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>Keyframes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>Manual: {state}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>Model</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>No. {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>None</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>Not annotated on this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>Object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>Object name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>Object of the point</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>Occluded</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>On this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>Out of view</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>Outdated proposal</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>Point</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>Position</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>Proposed, confidence {n}%</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>Proposed: {state}, confidence {n}%</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>Redo</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>Relations</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>Select an object, a point or a segment to see its properties.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>State</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>Undo</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>children: {links}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>frame {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>occluded</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>out of view</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>parent: {link}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>visible</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>x {x}, y {y} px</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>{link}: mean IoU {iou}, lowest {low} on {frame}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>{n} accepted from proposals</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>{n} imported</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/inspector.py"/><source>{n} manual</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>IssuesView</name>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>, {n} not possible</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>, {n} without video file</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>1 issue</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>1 task sent to a round</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>1 video scanned</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>All detectors</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Change limit…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Confirm</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Confirmed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Data set issues</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Detector</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Detectors</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Dismiss</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Dismissed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Dismiss…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Issue</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Issues</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Limit</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Limit in {unit}:</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Look for signs in pictures, sound and whole documents; kept in the project</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>No issues found.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>No issues. Scan the videos to check pictures and sound too.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Open</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Precision</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Reason</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Rule</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Scan videos</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Send to cleaning round</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Send to cleaning round…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Severity</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Show decided</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>State</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Switch off</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Switch on</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Title of the round</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>{n:,} issues</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>{n:,} videos scanned</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>{n} tasks sent to a round</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ItemsBox</name>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>Change the question or the options of the selected item before it is asked.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>Discard items</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>Discard items…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>Discard the selected items. The reason is recorded.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>Edit item</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>Edit item…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>Items</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>No items of this task type yet.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>No items yet. Create or import questions on the Questions page.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>Search</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>Task type</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>The item is removed from all tasks and results. Existing answers are kept.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>The recipe defines no questions.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>{n} items are removed from all tasks and results. Existing answers are kept.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>{n} of {all}</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>JobBar</name>
    <message><location filename="../../annotator/ui/bars/status_line.py"/><source>Stop this job</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>KeyHelp</name>
    <message><location filename="../../annotator/ui/dialogs/help_windows.py"/><source>Action</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/help_windows.py"/><source>Actions without a shortcut</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/help_windows.py"/><source>Keyboard shortcuts</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/help_windows.py"/><source>Mouse</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/help_windows.py"/><source>Same as in</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/help_windows.py"/><source>Search by action or shortcut</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/help_windows.py"/><source>Search shortcuts</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/help_windows.py"/><source>Shortcut</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>KeysPage</name>
    <message><location filename="../../annotator/ui/dialogs/keys_page.py"/><source>Action</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/keys_page.py"/><source>Another action has the same shortcut.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/keys_page.py"/><source>Match letters by key &amp;position (US keyboard)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/keys_page.py"/><source>New shortcut</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/keys_page.py"/><source>P&amp;reset</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/keys_page.py"/><source>Reset to preset</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/keys_page.py"/><source>Search actions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/keys_page.py"/><source>Set shortcut</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/keys_page.py"/><source>Shortcut</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/keys_page.py"/><source>Shortcuts of all actions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/keys_page.py"/><source>changed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/keys_page.py"/><source>{key} is assigned to “{names}”. Setting it here removes it there.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>LabelDialog</name>
    <message><location filename="../../annotator/ui/panels/labels_panel.py"/><source>&amp;Color</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels_panel.py"/><source>&amp;Help</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels_panel.py"/><source>&amp;Roles</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels_panel.py"/><source>&amp;Text</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels_panel.py"/><source>Define when the segment starts and ends</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels_panel.py"/><source>Edit label</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels_panel.py"/><source>New label</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels_panel.py"/><source>Number</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels_panel.py"/><source>Putting something into something</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels_panel.py"/><source>Shortcut &amp;key</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels_panel.py"/><source>automatic</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels_panel.py"/><source>none</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>LabelsPanel</name>
    <message><location filename="../../annotator/ui/panels/labels_panel.py"/><source>Actions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels_panel.py"/><source>Add label…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels_panel.py"/><source>Attributes of actions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels_panel.py"/><source>Attributes of objects and points</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels_panel.py"/><source>Attributes of objects and points…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels_panel.py"/><source>Attributes of objects are part of the recipe; a lead can change them.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels_panel.py"/><source>Attributes of segments…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels_panel.py"/><source>Attributes of sounds</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels_panel.py"/><source>Change attributes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels_panel.py"/><source>Edit label…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels_panel.py"/><source>Export label set…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels_panel.py"/><source>Import label set…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels_panel.py"/><source>Label sets and attributes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels_panel.py"/><source>Labels</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels_panel.py"/><source>Move down</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels_panel.py"/><source>Move up</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels_panel.py"/><source>Now using label set “{name}” with 1 label.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels_panel.py"/><source>Now using label set “{name}” with {n} labels.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels_panel.py"/><source>Remove label</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels_panel.py"/><source>Search labels</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/labels_panel.py"/><source>Sounds</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>LeadActions</name>
    <message><location filename="../../annotator/ui/commands/lead_actions.py"/><source>Change recipe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/lead_actions.py"/><source>Preview questions…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/lead_actions.py"/><source>Saved as {name}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/lead_actions.py"/><source>Use the recipe “{title}”, version {n}, from now on?</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>LeadWindow</name>
    <message><location filename="../../annotator/ui/lead/window.py"/><source>{title} – Lead dashboard</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>LockStrip</name>
    <message><location filename="../../annotator/ui/work/task_strips.py"/><source>A lead can reopen it: {names}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_strips.py"/><source>A lead has unassigned this task from you.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_strips.py"/><source>A lead has voided your answers to this task.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_strips.py"/><source>It is waiting for the next stage: {stage}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_strips.py"/><source>The task is assigned to {names} ({stage}).</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_strips.py"/><source>The task is complete.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_strips.py"/><source>The task was withdrawn.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_strips.py"/><source>The training task is complete.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_strips.py"/><source>You have released this task.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_strips.py"/><source>You have skipped this task.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_strips.py"/><source>You submitted this task ({when}).</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_strips.py"/><source>You were deactivated in this project, and the task returned to the queue.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_strips.py"/><source>Your claim on this task has expired because of inactivity.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_strips.py"/><source>Your draft is kept.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>MainWindow</name>
    <message><location filename="../../annotator/ui/actions/conditions.py"/><source>Press {key} and drag a box around an object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/tool_bar.py"/><source>Accept</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/tool_bar.py"/><source>Box</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/tool_bar.py"/><source>Keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/tool_bar.py"/><source>Point</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/tool_bar.py"/><source>Select</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/tool_bar.py"/><source>Tools</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/tool_bar.py"/><source>Track</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>MatrixChart</name>
    <message><location filename="../../annotator/ui/lead/dataset/matrix_chart.py"/><source>share of the image height</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/matrix_chart.py"/><source>share of the image width</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>MergeDialog</name>
    <message><location filename="../../annotator/ui/lead/answers/open_answers_box.py"/><source>&amp;Answer</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>MyWorkPage</name>
    <message><location filename="../../annotator/ui/work/my_work.py"/><source>1 task is assigned to you.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/my_work.py"/><source>1 task is waiting for you.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/my_work.py"/><source>At least {n} tasks are waiting for you.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/my_work.py"/><source>New spot checks are due.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/my_work.py"/><source>No tasks are waiting for you.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/my_work.py"/><source>The next task comes from the shared project.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/my_work.py"/><source>There are no tasks yet: the steps of the recipe create them.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/my_work.py"/><source>{n} tasks are assigned to you.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/my_work.py"/><source>{n} tasks are waiting for you.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/my_work.py"/><source>{roles} · active today {today}, this week {week}</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>NewProjectDialog</name>
    <message><location filename="../../annotator/ui/lead/setup/new_project.py"/><source> frames</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/new_project.py"/><source>&amp;Folder</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/new_project.py"/><source>&amp;Grid step</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/new_project.py"/><source>&amp;Name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/new_project.py"/><source>Browse…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/new_project.py"/><source>Create</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/new_project.py"/><source>Creates {path}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/new_project.py"/><source>Enter a project name.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/new_project.py"/><source>New project</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/new_project.py"/><source>Next ›</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/new_project.py"/><source>People</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/new_project.py"/><source>Raters check every object on each grid frame. The step cannot be changed later.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/new_project.py"/><source>Select folder</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/new_project.py"/><source>Steps</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/new_project.py"/><source>The folder already contains a project with this name.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/new_project.py"/><source>The name must not contain / \ : * ? " &lt; &gt; |</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/new_project.py"/><source>This folder does not exist.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/new_project.py"/><source>Video metadata</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/new_project.py"/><source>Videos</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/new_project.py"/><source>Workflow</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/new_project.py"/><source>one second</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/new_project.py"/><source>only you</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/new_project.py"/><source>you and 1 other</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/new_project.py"/><source>you and {n} others</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/new_project.py"/><source>‹ Back</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>NumberEditor</name>
    <message><location filename="../../annotator/ui/forms/fields/text_fields.py"/><source>“{text}” is not a number. Enter a number.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>NumbersPage</name>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>90% interval</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>Annotation time</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>Day</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>Gold accuracy</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>Hours</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>Hours per item</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>Issue</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>Issues</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>Issues by type</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>Issues in the latest submissions. Double-click a row to show its tasks.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>Items</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>Items per hour</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>Minutes per task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>No data yet</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>People per item</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>Person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>Rate</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>Reason</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>Remaining work</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>Reviewed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>Sent back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>Sent back, by person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>Sent back, by reason</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>Stage</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>Statistics</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>Submissions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>Submissions per day</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>Task type</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>Tasks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>Tasks per stage</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>The exported table has a row for each day, task and stage.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>Work of each person</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ObjectActions</name>
    <message><location filename="../../annotator/ui/commands/object_actions.py"/><source>Find box</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/object_actions.py"/><source>Object created. Press {key} to name it.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/object_actions.py"/><source>Select the object to split.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/object_actions.py"/><source>The model found no object here. Click its center.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ObjectRows</name>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>1 annotated frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>1 frame without annotation</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>1 keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>1 unchecked grid frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>First and last keyframe; of a point, annotated frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>Frames</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>Frames where the point is occluded</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>Hidden</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>Locked</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>Locked objects and points cannot be edited.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>Name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>Name; double-click to edit it</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>No.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>Not locked</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>Number and color</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>Number of keyframes; of a point, annotated frames</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>Occluded on 1 frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>Occluded on {n} frames</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>Shown</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>Shown in the video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>Unchecked grid frames; of a point, frames without annotation between the first and the last annotated frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>{n} annotated frames</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>{n} frames without annotation</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>{n} keyframes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/object_rows.py"/><source>{n} unchecked grid frames</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ObjectsPanel</name>
    <message><location filename="../../annotator/ui/panels/objects_panel.py"/><source>Filter by name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/objects_panel.py"/><source>Filter objects by name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/objects_panel.py"/><source>No objects match the filter.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/objects_panel.py"/><source>No objects yet.
Press B and drag a box around an object.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/objects_panel.py"/><source>No points yet.
Press P and click a part of an object.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/objects_panel.py"/><source>Objects</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/objects_panel.py"/><source>Open a task to see its objects.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/objects_panel.py"/><source>This task provides no objects.
</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>OpenAnswersBox</name>
    <message><location filename="../../annotator/ui/lead/answers/open_answers_box.py"/><source>Count the selected answers as one answer.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/open_answers_box.py"/><source>Done.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/open_answers_box.py"/><source>Merge answers</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/open_answers_box.py"/><source>Merge answers…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/open_answers_box.py"/><source>No resolved or conflicting answers yet.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/open_answers_box.py"/><source>Open answers</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/open_answers_box.py"/><source>Open answers appear here after their tasks are resolved.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/open_answers_box.py"/><source>Question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/open_answers_box.py"/><source>Search</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/open_answers_box.py"/><source>Split answer</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/open_answers_box.py"/><source>Tasks resolved by this change: {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/open_answers_box.py"/><source>The recipe defines no questions with open answers.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/open_answers_box.py"/><source>Undo last merge</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/open_answers_box.py"/><source>Undo the merges of the selected answer.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/open_answers_box.py"/><source>Undo the most recent merge.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>OtherPicture</name>
    <message><location filename="../../annotator/ui/forms/second_video.py"/><source>Image of the second video</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>OwnTests</name>
    <message><location filename="../../annotator/ui/work/my_work.py"/><source>, grade {reached} (required: {wanted})</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/my_work.py"/><source>, {reached} correct (required: {wanted})</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/my_work.py"/><source>Pass the test “{title}”.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/my_work.py"/><source>Pass “{title}” to unlock {opens}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/my_work.py"/><source>Required first: {needs}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/my_work.py"/><source>Tasks of this attempt: {n} of {all}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/my_work.py"/><source>“{title}”: not passed{reached}. 1 attempt left.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/my_work.py"/><source>“{title}”: not passed{reached}. No attempts left. Contact the lead.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/my_work.py"/><source>“{title}”: not passed{reached}. {n} attempts left.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/my_work.py"/><source>“{title}”: passed{reached}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/my_work.py"/><source>“{title}”: submitted, awaiting grade.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/my_work.py"/><source>“{title}”: you are suspended from these tasks because of failed checks. Contact the lead.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>PackageDialog</name>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>&amp;Additional tasks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>&amp;Person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>&amp;Stage</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>1 assigned task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>Include the video files</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>The same video files are needed on their computer.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>any eligible stage</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>{name} gets {tasks} and up to {k} from the queue.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>{name} gets {tasks}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>{n} assigned tasks</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>Pages</name>
    <message><location filename="../../annotator/ui/shell/pages.py"/><source>A project file stores all annotations and refers to your videos. Invitations and work packages are opened in the same way. To try the program, open the demo project.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/shell/pages.py"/><source>Add video files to start. The files stay in their folders and are not copied.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/shell/pages.py"/><source>No project is open</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/shell/pages.py"/><source>Nor was a file with the same content found in {folder} and its folders.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/shell/pages.py"/><source>Select a task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/shell/pages.py"/><source>The tasks of this project are listed on the left.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/shell/pages.py"/><source>The video is not on this computer yet</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/shell/pages.py"/><source>This project has no videos yet</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/shell/pages.py"/><source>Video file not found</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/shell/pages.py"/><source>Your annotations are not affected. Locate the video file to continue.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/shell/pages.py"/><source>“{name}” was not found at:</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/shell/pages.py"/><source>“{name}” was not found in {folder} and its folders.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>PeopleBox</name>
    <message><location filename="../../annotator/ui/lead/people/people_dialogs.py"/><source>1 person imported.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/people_dialogs.py"/><source>Add person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/people_dialogs.py"/><source>Import from table…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/people_dialogs.py"/><source>Import people from table</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/people_dialogs.py"/><source>Name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/people_dialogs.py"/><source>PIN</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/people_dialogs.py"/><source>People</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/people_dialogs.py"/><source>Remove person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/people_dialogs.py"/><source>Roles</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/people_dialogs.py"/><source>Tables (*.csv)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/people_dialogs.py"/><source>The PIN is too short. Enter at least four characters.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/people_dialogs.py"/><source>The name “{name}” is used twice. Enter unique names.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/people_dialogs.py"/><source>You are the lead and have all permissions. List the people who work with you. You can add more people at any time. PINs are optional and prevent sign-in under the wrong name.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/people_dialogs.py"/><source>{n} people imported.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>PeopleList</name>
    <message><location filename="../../annotator/ui/lead/studies/study_dialogs.py"/><source>Clear selection</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/study_dialogs.py"/><source>People</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/study_dialogs.py"/><source>Select all</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/study_dialogs.py"/><source>Select participants</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>PeoplePage</name>
    <message><location filename="../../annotator/ui/lead/people/page.py"/><source>A PIN prevents sign-in under the wrong name by mistake. It does not protect the data from anyone with access to the file.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/page.py"/><source>Add person…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/page.py"/><source>Assigned tasks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/page.py"/><source>Deactivate</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/page.py"/><source>Deactivate {name} in this project?</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/page.py"/><source>Deactivate…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/page.py"/><source>Edit name and roles…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/page.py"/><source>Name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/page.py"/><source>No tasks are assigned to this person.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/page.py"/><source>PIN</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/page.py"/><source>People</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/page.py"/><source>Reactivate</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/page.py"/><source>Roles</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/page.py"/><source>Set PIN…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/page.py"/><source>State</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/page.py"/><source>Their assigned tasks ({n}) return to the queue, and drafts are kept. If a task has no eligible person left, you are asked to decide.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/page.py"/><source>Their submissions are kept. You can reactivate them at any time.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/page.py"/><source>inactive</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/page.py"/><source>set</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>PersonDialog</name>
    <message><location filename="../../annotator/ui/lead/people/people_dialogs.py"/><source>&amp;Name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/people_dialogs.py"/><source>&amp;PIN</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/people_dialogs.py"/><source>Roles</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>PinDialog</name>
    <message><location filename="../../annotator/ui/lead/people/people_dialogs.py"/><source>&amp;PIN</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>PinField</name>
    <message><location filename="../../annotator/ui/lead/people/people_dialogs.py"/><source>none</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>PinnedReasonDialog</name>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>Add reason</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>Additional details (optional)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>Describe the problem</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>Details</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>Other reason</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>Reason</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>Reason for sending back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>Refers to</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>Select a reason</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>PointActions</name>
    <message><location filename="../../annotator/ui/commands/point_actions.py"/><source>Accept up to the next manual frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/point_actions.py"/><source>Clear point here</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/point_actions.py"/><source>Clear point in range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/point_actions.py"/><source>Clear point on this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/point_actions.py"/><source>Dismiss between manual frames</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/point_actions.py"/><source>Hide point</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/point_actions.py"/><source>Lock point</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/point_actions.py"/><source>Mark point occluded in range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/point_actions.py"/><source>Mark point out of view in range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/point_actions.py"/><source>Move point down</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/point_actions.py"/><source>Move point down by 0.1 pixel</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/point_actions.py"/><source>Move point left</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/point_actions.py"/><source>Move point left by 0.1 pixel</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/point_actions.py"/><source>Move point right</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/point_actions.py"/><source>Move point right by 0.1 pixel</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/point_actions.py"/><source>Move point up</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/point_actions.py"/><source>Move point up by 0.1 pixel</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/point_actions.py"/><source>Next manual frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/point_actions.py"/><source>Next point</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/point_actions.py"/><source>No proposals to dismiss here.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/point_actions.py"/><source>Place point here</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/point_actions.py"/><source>Press P and click the position of the point.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/point_actions.py"/><source>Previous manual frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/point_actions.py"/><source>Previous point</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/point_actions.py"/><source>Proposals between the manual frames around this frame are dismissed. Press {key} to track again.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/point_actions.py"/><source>Rename point…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/point_actions.py"/><source>The point is not annotated on this frame.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/point_actions.py"/><source>This point has no proposals.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/point_actions.py"/><source>Track points</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>PointNameField</name>
    <message><location filename="../../annotator/ui/canvas/input/point_tools.py"/><source>Name of the part</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/input/point_tools.py"/><source>Point name</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>PointTools</name>
    <message><location filename="../../annotator/ui/canvas/input/point_tools.py"/><source>Select the object that the point belongs to.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/input/point_tools.py"/><source>The point is not placed on this frame. Click its position.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>PreferencesDialog</name>
    <message><location filename="../../annotator/ui/dialogs/preferences.py"/><source>Groups of settings</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/preferences.py"/><source>Preferences</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/preferences.py"/><source>Search settings</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>PrepareDialog</name>
    <message><location filename="../../annotator/ui/lead/setup/prepare_dialog.py"/><source>From the detections of a model, in all videos</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/prepare_dialog.py"/><source>From the keyframes of tasks in progress</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/prepare_dialog.py"/><source>Import detections with File &gt; Import predictions first.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/prepare_dialog.py"/><source>Model</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/prepare_dialog.py"/><source>No detections are imported</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/prepare_dialog.py"/><source>Prepare proposals</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/prepare_dialog.py"/><source>Proposals wait in the tasks until a rater accepts or dismisses them. Tracking continues when you close the window. You can stop it at any time and resume later.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/prepare_dialog.py"/><source>Track</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>Preparing</name>
    <message><location filename="../../annotator/ui/lead/setup/prepare_dialog.py"/><source>1 gap</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/prepare_dialog.py"/><source>1 object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/prepare_dialog.py"/><source>1 video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/prepare_dialog.py"/><source>Collect proposals</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/prepare_dialog.py"/><source>Nothing to track: all proposals are up to date.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/prepare_dialog.py"/><source>Prepare proposals</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/prepare_dialog.py"/><source>Tracked {what} in {videos}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/prepare_dialog.py"/><source>{n} gaps</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/prepare_dialog.py"/><source>{n} objects</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/prepare_dialog.py"/><source>{n} videos</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>PriorityDialog</name>
    <message><location filename="../../annotator/ui/lead/board/board_dialogs.py"/><source>&amp;Priority</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ProgressStrip</name>
    <message><location filename="../../annotator/ui/forms/item_strips.py"/><source>Progress</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/item_strips.py"/><source>answered</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/item_strips.py"/><source>flagged</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/item_strips.py"/><source>open</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/item_strips.py"/><source>{done} of {n} answered</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ProjectActions</name>
    <message><location filename="../../annotator/ui/commands/project_actions.py"/><source>1 video added.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/project_actions.py"/><source>1 was already in the project.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/project_actions.py"/><source>Add videos</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/project_actions.py"/><source>All edits are saved.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/project_actions.py"/><source>All edits are saved; the last one at {time}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/project_actions.py"/><source>Cannot add videos: the project is read-only.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/project_actions.py"/><source>Cannot close the project: a background job is running. Let it finish, or stop it in the status bar.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/project_actions.py"/><source>Create demo project</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/project_actions.py"/><source>Locate “{name}”</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/project_actions.py"/><source>No recent projects</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/project_actions.py"/><source>Open a project to import annotations into it.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/project_actions.py"/><source>Open benchmark demo</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/project_actions.py"/><source>Open recent</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/project_actions.py"/><source>Save a copy</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/project_actions.py"/><source>Saved as {name}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/project_actions.py"/><source>Verify video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/project_actions.py"/><source>{n} could not be added:</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/project_actions.py"/><source>{n} videos added.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/project_actions.py"/><source>{n} were already in the project.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>PropertiesEditor</name>
    <message><location filename="../../annotator/ui/forms/fields/text_fields.py"/><source>Delete “{text}”</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/text_fields.py"/><source>Type an entry and press Enter</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ProposalActions</name>
    <message><location filename="../../annotator/ui/commands/proposal_actions.py"/><source>1 proposal of another model for the same object was dismissed.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/proposal_actions.py"/><source>Accept a frame of the object first: tracking starts there.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/proposal_actions.py"/><source>The video file is missing.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/proposal_actions.py"/><source>This object has no proposals.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/proposal_actions.py"/><source>{n} proposals of other models for the same object were dismissed.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/proposal_actions.py"/><source>“{name}” is proposed again from frame {frame} on.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ProposalGallery</name>
    <message><location filename="../../annotator/ui/dialogs/proposal_gallery.py"/><source>Accept all other proposals</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/proposal_gallery.py"/><source>Accept all proposals</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/proposal_gallery.py"/><source>Accept {n} frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/proposal_gallery.py"/><source>Accept {n} frames</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/proposal_gallery.py"/><source>Close</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/proposal_gallery.py"/><source>Frame {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/proposal_gallery.py"/><source>Next frames</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/proposal_gallery.py"/><source>Next object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/proposal_gallery.py"/><source>Next point</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/proposal_gallery.py"/><source>No object selected</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/proposal_gallery.py"/><source>Not tracked yet</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/proposal_gallery.py"/><source>Proposal gallery</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/proposal_gallery.py"/><source>Select an object with proposals in the window.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/proposal_gallery.py"/><source>Skip these frames</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>QuestionActions</name>
    <message><location filename="../../annotator/ui/shell/question_actions.py"/><source>All questions are answered. Press {key} to submit.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/shell/question_actions.py"/><source>Cannot add an answer: this question accepts at most {n} answers.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/shell/question_actions.py"/><source>Cannot add an answer: this question accepts only 1 answer.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/shell/question_actions.py"/><source>Cannot flag this question: the form has no flag field.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/shell/question_actions.py"/><source>Question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/shell/question_actions.py"/><source>This question is not answered yet.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/shell/question_actions.py"/><source>This task has no second video.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>QuestionPanel</name>
    <message><location filename="../../annotator/ui/forms/question_panel.py"/><source>Answer {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/question_panel.py"/><source>Correct answer: {words}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/question_panel.py"/><source>Correct: {words}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/question_panel.py"/><source>Form</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/question_panel.py"/><source>Previous</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/question_panel.py"/><source>Replay</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/question_panel.py"/><source>{at} of {n}</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>QuestionsPage</name>
    <message><location filename="../../annotator/ui/lead/answers/questions_page.py"/><source>, {n} discarded</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/questions_page.py"/><source>Adds questions from a file, such as tests or questions of a model.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/questions_page.py"/><source>Adds the answers of a model, which raters judge.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/questions_page.py"/><source>Answers (*.json *.jsonl *.csv)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/questions_page.py"/><source>Build data set</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/questions_page.py"/><source>Build data set…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/questions_page.py"/><source>Data sets (*.json *.parquet)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/questions_page.py"/><source>Import predicted answers…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/questions_page.py"/><source>Nothing new: everything exists, or earlier steps are not resolved.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/questions_page.py"/><source>Questions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/questions_page.py"/><source>Questions (*.json *.parquet)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/questions_page.py"/><source>The recipe of this project defines no questions.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/questions_page.py"/><source>The steps are listed in work order. Each step creates only missing items. Repeat a step after more items are resolved.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/questions_page.py"/><source>Writes the resolved questions.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/questions_page.py"/><source>{n} imported, {k} imported before</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/questions_page.py"/><source>{n} new</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/questions_page.py"/><source>{n} so far, {k} resolved</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>Rater</name>
    <message><location filename="../../annotator/ui/shell/rater_features.py"/><source>Checklist</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/shell/rater_features.py"/><source>Guidelines</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/shell/rater_features.py"/><source>Your claim on this task expires at {time}. Continue working to keep it.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ReassignStudyDialog</name>
    <message><location filename="../../annotator/ui/lead/studies/study_dialogs.py"/><source>Pe&amp;ople</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>RecentProjects</name>
    <message><location filename="../../annotator/ui/bars/empty_page.py"/><source>Recent projects</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/bars/empty_page.py"/><source>{folder} · not found</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>RecipeCards</name>
    <message><location filename="../../annotator/ui/lead/setup/new_project.py"/><source>Cannot read the recipe file: {why}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/new_project.py"/><source>Load a TOML file that defines stages, roles, checklists, and guidelines.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/new_project.py"/><source>Recipes (*.toml)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/new_project.py"/><source>Select recipe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/new_project.py"/><source>Use custom recipe…</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ReferenceStrip</name>
    <message><location filename="../../annotator/ui/forms/item_strips.py"/><source>Object images</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/item_strips.py"/><source>Object {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/item_strips.py"/><source>Object {n} with box</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ReleaseView</name>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>1 video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>A release contains the annotations by split, label sets, recipe and guidelines, statistics, a data card, a list of the videos, and a certificate with which anybody can verify files and decoded frames.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>Also write</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>Compare releases</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>Compare two releases…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>Copy the videos into the release</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>Differences of “{second}” from “{first}”. Double-click an example to open its video.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>Key</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>Keys (*)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>Name the folder of the release</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>No differences.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>Release</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>Released {videos} in {folder}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>Select a private key</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>Select the earlier release</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>Select the folder of a release</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>Select the later release</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>Select…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>Sign with</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>Signed with {key}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>The project has no video “{name}”.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>The release differs from its certificate:</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>The release matches its certificate.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>Title</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>Verify a release…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>Verify release</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>Withhold the answers of</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>Write release</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>Write release…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>optional: Ed25519 private key (PEM)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>{n:,} videos</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>RenderDialog</name>
    <message><location filename="../../annotator/ui/dialogs/project/render_dialog.py"/><source>&amp;Frames</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/render_dialog.py"/><source>&amp;Images</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/render_dialog.py"/><source>Export images and clips</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/render_dialog.py"/><source>Export…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/render_dialog.py"/><source>Images: objects in their boxes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/render_dialog.py"/><source>Images: whole frames</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/render_dialog.py"/><source>JPEG (smaller)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/render_dialog.py"/><source>PNG (lossless)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/render_dialog.py"/><source>Step between frames</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/render_dialog.py"/><source>Videos</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/render_dialog.py"/><source>Videos: each action and sound, with audio</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/render_dialog.py"/><source>Videos: with the annotations drawn in</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/render_dialog.py"/><source>every n-th frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/render_dialog.py"/><source>grid frames (one per second)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/render_dialog.py"/><source>keyframes of objects</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/render_dialog.py"/><source>rendered.csv in the folder lists each file with its frames.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ReportDialog</name>
    <message><location filename="../../annotator/ui/dialogs/project/report_dialog.py"/><source>Copy</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/report_dialog.py"/><source>Double-click an issue to go to it.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/report_dialog.py"/><source>Export CSV…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/report_dialog.py"/><source>Frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/report_dialog.py"/><source>Issue</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/report_dialog.py"/><source>Issues</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/report_dialog.py"/><source>Location</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ReturnStrip</name>
    <message><location filename="../../annotator/ui/work/task_strips.py"/><source>This task was sent back:</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_strips.py"/><source>frame {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_strips.py"/><source>show</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ReviewActions</name>
    <message><location filename="../../annotator/ui/review/review_actions.py"/><source>All changes are reviewed.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/review_actions.py"/><source>Change rejected. The reason is included when you send the task back.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/review_actions.py"/><source>Revert</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/review_actions.py"/><source>Use this version</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>Reviewing</name>
    <message><location filename="../../annotator/ui/review/open_review.py"/><source>Compare with earlier submission</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>RoleRows</name>
    <message><location filename="../../annotator/ui/panels/role_rows.py"/><source>Clear role {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/role_rows.py"/><source>Click an object…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/role_rows.py"/><source>Not annotated</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/role_rows.py"/><source>Select object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/role_rows.py"/><source>sound source</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>RoundDialog</name>
    <message><location filename="../../annotator/ui/lead/board/board_dialogs.py"/><source># Points to check

Use Markdown. Images are read from the project folder: ![a cup](pictures/cup.png)

If this field is empty, the guidelines of the recipe apply.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/board_dialogs.py"/><source>&amp;First stage</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/board_dialogs.py"/><source>&amp;Reason</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/board_dialogs.py"/><source>&amp;Title</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/board_dialogs.py"/><source>Guidelines in Markdown</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/board_dialogs.py"/><source>Guidelines preview</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/board_dialogs.py"/><source>Recheck swapped cups</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/board_dialogs.py"/><source>recipe default</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ScatterChart</name>
    <message><location filename="../../annotator/ui/lead/dataset/comparison_view.py"/><source>people {value}</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SecondVideo</name>
    <message><location filename="../../annotator/ui/forms/second_video.py"/><source>Pause the second video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/second_video.py"/><source>Play the second video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/second_video.py"/><source>Position in the second video</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SegmentActions</name>
    <message><location filename="../../annotator/ui/commands/segment_actions.py"/><source>All proposed segments are accepted or dismissed.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/segment_actions.py"/><source>No adjacent or overlapping segment has the same label.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/segment_actions.py"/><source>No label of this lane has the shortcut {n}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/segment_actions.py"/><source>No more edges in this direction.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/segment_actions.py"/><source>No more segments in this direction.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/segment_actions.py"/><source>Only edges of sounds can be moved by 1 ms. Edges of actions lie on frames.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/segment_actions.py"/><source>Only sounds can be marked as out of view.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/segment_actions.py"/><source>Select a label first: press its digit or click it in Labels.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/segment_actions.py"/><source>The selected label belongs to the other lane.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SegmentCard</name>
    <message><location filename="../../annotator/ui/panels/segment_card.py"/><source>&amp;Note</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segment_card.py"/><source>1 frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segment_card.py"/><source>Action</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segment_card.py"/><source>Active edge: keys move it</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segment_card.py"/><source>Duration</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segment_card.py"/><source>End</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segment_card.py"/><source>Free text about this segment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segment_card.py"/><source>Lane</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segment_card.py"/><source>Model</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segment_card.py"/><source>Out of view</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segment_card.py"/><source>Segment description</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segment_card.py"/><source>Set here</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segment_card.py"/><source>Sound</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segment_card.py"/><source>Start</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segment_card.py"/><source>This label is not in the label set.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segment_card.py"/><source>frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segment_card.py"/><source>{model}, not accepted yet</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segment_card.py"/><source>{n} frames</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SegmentPainting</name>
    <message><location filename="../../annotator/ui/commands/segment_actions.py"/><source>Painting “{label}” while the key is held</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/segment_actions.py"/><source>Select a label first: press its digit or click it in Labels.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SegmentRows</name>
    <message><location filename="../../annotator/ui/panels/segments_panel.py"/><source>Duration</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segments_panel.py"/><source>Label</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segments_panel.py"/><source>Start</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SegmentsPanel</name>
    <message><location filename="../../annotator/ui/panels/segments_panel.py"/><source>Filter by text</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segments_panel.py"/><source>Filter segments by text</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segments_panel.py"/><source>No actions or sounds yet.
Select a label, mark start and end with I and O, and press Enter. Or hold the label's digit during playback.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segments_panel.py"/><source>No segments match the filter.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segments_panel.py"/><source>Open a task to see its segments.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segments_panel.py"/><source>Segments</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/segments_panel.py"/><source>This task provides no actions or sounds.
</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SendBackDialog</name>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>1 reason is included.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>Add at least one reason to send the task back.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>Add reason…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>Another person, who has not worked on this task, corrects it and sees the selected reasons.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>No reasons yet. Changes that you reject and comments that you write during the review appear here.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>Reasons</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>Select at least one reason to send the task back.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>Send back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>Send task back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>{n} reasons are included.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SettingsForm</name>
    <message><location filename="../../annotator/ui/dialogs/preferences.py"/><source>Browse…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/preferences.py"/><source>Restart the program to apply this change.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/preferences.py"/><source>Restore defaults</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/preferences.py"/><source>Restore defaults of “{group}”</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/preferences.py"/><source>Select folder</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ShareDialog</name>
    <message><location filename="../../annotator/ui/lead/sharing/sharing_dialog.py"/><source> hours</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/sharing_dialog.py"/><source>&amp;Administrator login</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/sharing_dialog.py"/><source>&amp;Certificate</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/sharing_dialog.py"/><source>&amp;Database</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/sharing_dialog.py"/><source>&amp;Password</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/sharing_dialog.py"/><source>&amp;Videos at</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/sharing_dialog.py"/><source>1 waiting task is offered to everybody, each assigned task to its person. Others follow as submissions are collected.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/sharing_dialog.py"/><source>A folder on a network share</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/sharing_dialog.py"/><source>A task returns to the queue when nothing is heard of its assignee for this time. Drafts are kept, and late work is kept and flagged.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/sharing_dialog.py"/><source>Back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/sharing_dialog.py"/><source>Browse…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/sharing_dialog.py"/><source>Certificate</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/sharing_dialog.py"/><source>Certificates (*.crt *.pem *.cer);;All files (*)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/sharing_dialog.py"/><source>Claims &amp;last</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/sharing_dialog.py"/><source>Each person gets an invitation file, beside the project. It holds no secret. More people can be invited later.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/sharing_dialog.py"/><source>Host, port</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/sharing_dialog.py"/><source>Next</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/sharing_dialog.py"/><source>PEM file of the server or its authority</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/sharing_dialog.py"/><source>People</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/sharing_dialog.py"/><source>People to invite</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/sharing_dialog.py"/><source>Place</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/sharing_dialog.py"/><source>PostgreSQL &amp;server</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/sharing_dialog.py"/><source>Share</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/sharing_dialog.py"/><source>Share the work</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/sharing_dialog.py"/><source>Shared &amp;folder</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/sharing_dialog.py"/><source>Shared folder</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/sharing_dialog.py"/><source>Step {n} of {total}: {title}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/sharing_dialog.py"/><source>Tasks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/sharing_dialog.py"/><source>The project has no other people yet. Add them on the page “People” of the dashboard, and invite them on the page “Shared work”.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/sharing_dialog.py"/><source>Where invited people fetch the videos. Empty: where the recipe says, or people have the files.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/sharing_dialog.py"/><source>{n} waiting tasks are offered to everybody, each assigned task to its person. Others follow as submissions are collected.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SharedWork</name>
    <message><location filename="../../annotator/ui/work/shared/hub_exchange.py"/><source>Claim task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/shared/hub_exchange.py"/><source>Exchange with the hub</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/shared/hub_exchange.py"/><source>No tasks are waiting for you.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/shared/hub_exchange.py"/><source>Video not found: {names}. Locate the file in the task.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/shared/hub_exchange.py"/><source>“{name}”: your claim ended. Your draft is kept.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SharingPage</name>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>1 new task published.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>1 task unassigned.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>Assignee</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>Claimed tasks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>Connected to {place}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>Connecting…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>Invite…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>Last contact</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>Message</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>Message sent.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>Message…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>No task is claimed at the moment.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>Offer all tasks that can be done. Changes are published by themselves.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>Publish</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>Publish all</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>Return the selected tasks to the queue. Drafts stay on their computers.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>Send a message to one person or to everybody.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>Shared work</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>Since</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>Stage</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>State</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>Task type</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>Unassign</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>Until</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>Video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>another copy of this project publishes and collects</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>claimed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>no contact for a day</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>{n} claimed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>{n} new tasks published.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>{n} open</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>{n} submitted</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>{n} tasks unassigned.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>{n} to collect</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>{problem} The program tries again. Raters can still claim what is published.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SidePanels</name>
    <message><location filename="../../annotator/ui/shell/side_panels.py"/><source>Inspector</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/shell/side_panels.py"/><source>Issues</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/shell/side_panels.py"/><source>Labels</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/shell/side_panels.py"/><source>Objects</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/shell/side_panels.py"/><source>Segments</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/shell/side_panels.py"/><source>Tasks</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SideView</name>
    <message><location filename="../../annotator/ui/canvas/compare.py"/><source>Video canvas, earlier submission</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SignInPage</name>
    <message><location filename="../../annotator/ui/work/start_page.py"/><source>No person has this name. A project lead can add you.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/start_page.py"/><source>PIN</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/start_page.py"/><source>People</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/start_page.py"/><source>Search people by name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/start_page.py"/><source>Select your name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/start_page.py"/><source>Sign in</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/start_page.py"/><source>Type your name</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SlotFilling</name>
    <message><location filename="../../annotator/ui/state/role_assignment.py"/><source> · 0: not annotated · Esc: cancel</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/state/role_assignment.py"/><source>All roles are filled. Select a role by its digit first.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/state/role_assignment.py"/><source>Click the object for role {n} ({word}) in the video or in the list</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/state/role_assignment.py"/><source>This action has no role {n}.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SoundMenu</name>
    <message><location filename="../../annotator/ui/timeline/sound_rows.py"/><source>All channels (mix)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/sound_rows.py"/><source>Audio track</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/sound_rows.py"/><source>Channel</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/sound_rows.py"/><source>Color map</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/sound_rows.py"/><source>Dynamic range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/sound_rows.py"/><source>Frequency scale</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/sound_rows.py"/><source>Gain</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/sound_rows.py"/><source>Linear</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/sound_rows.py"/><source>Logarithmic</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/sound_rows.py"/><source>mono</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/sound_rows.py"/><source>stereo</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/sound_rows.py"/><source>{count} channels</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SourcesBox</name>
    <message><location filename="../../annotator/ui/lead/setup/video_sources.py"/><source>Add all video and audio files of a folder and its subfolders.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/video_sources.py"/><source>Add folder…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/video_sources.py"/><source>Add from list file</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/video_sources.py"/><source>Add from list file…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/video_sources.py"/><source>Add the files and folders listed in a text file, one per line.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/video_sources.py"/><source>Add videos…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/video_sources.py"/><source>Drag video files or folders here</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/video_sources.py"/><source>Lists (*.txt)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/video_sources.py"/><source>Remove</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/video_sources.py"/><source>Select folder</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/video_sources.py"/><source>Videos</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SpansEditor</name>
    <message><location filename="../../annotator/ui/forms/fields/video_fields.py"/><source>Delete {span}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/video_fields.py"/><source>Play {span}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/video_fields.py"/><source>Press {start} or {end} to move the start or the end to the current frame.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/video_fields.py"/><source>Press {start} to set the start and {end} to set the end.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>Spelling</name>
    <message><location filename="../../annotator/ui/forms/fields/spell_check.py"/><source>Add “{word}” to the project dictionary</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/spell_check.py"/><source>Load dictionary</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/spell_check.py"/><source>Looking for similar words…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/spell_check.py"/><source>No similar words</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SplitsView</name>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source> s</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>1 group</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Attribute</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Attributes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Count</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Current split: {splits}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Deviation</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Fixed videos</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Fractions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Keep together</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Never in two splits</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Outside the tolerance: {names}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Save split</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Seed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Set the fractions and click Split: the attributes of each split appear here.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Share</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Split</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Split evenly, besides labels and questions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Splits</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Store the split as metadata of the videos</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Target</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>The split of 1 video was changed.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>The split of {n} videos was changed.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>The videos are not split yet.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Time limit</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Tolerance</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Total</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Videos that have a value of one of these columns in common stay together</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>Videos with equal values in all selected columns are in the same split</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>without a split {n:,}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>{counts} ({groups}, {seconds:.1f} s). Objective (gap to the bound): {gaps}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>{n:,} groups</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SpotPage</name>
    <message><location filename="../../annotator/ui/lead/people/spot_checks_page.py"/><source>1 submission is waiting for a spot check.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/spot_checks_page.py"/><source>Feedback</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/spot_checks_page.py"/><source>Feedback. It stays at the top of the recipient's start page until they mark it as read.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/spot_checks_page.py"/><source>New spot checks are due.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/spot_checks_page.py"/><source>Note</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/spot_checks_page.py"/><source>Note (optional)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/spot_checks_page.py"/><source>Open (read-only)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/spot_checks_page.py"/><source>Recipient</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/spot_checks_page.py"/><source>Reviewed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/spot_checks_page.py"/><source>Sample submissions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/spot_checks_page.py"/><source>Sample submissions for spot checks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/spot_checks_page.py"/><source>Sampled</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/spot_checks_page.py"/><source>Sampling method</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/spot_checks_page.py"/><source>Send feedback</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/spot_checks_page.py"/><source>Sent to {name}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/spot_checks_page.py"/><source>Set a share and click Sample submissions to get spot checks.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/spot_checks_page.py"/><source>Share of new submissions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/spot_checks_page.py"/><source>Spot checks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/spot_checks_page.py"/><source>Stage</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/spot_checks_page.py"/><source>Subject</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/spot_checks_page.py"/><source>Submitted by</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/spot_checks_page.py"/><source>Task type</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/spot_checks_page.py"/><source>To</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/spot_checks_page.py"/><source>Video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/spot_checks_page.py"/><source>about the selected task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/spot_checks_page.py"/><source>all people</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/spot_checks_page.py"/><source>at random</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/spot_checks_page.py"/><source>by risk (most often sent back first)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/spot_checks_page.py"/><source>general</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/spot_checks_page.py"/><source>{n} submissions are waiting for a spot check.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>StageCards</name>
    <message><location filename="../../annotator/ui/lead/board/stage_cards.py"/><source>Tasks by stage</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>StageReasonDialog</name>
    <message><location filename="../../annotator/ui/lead/board/board_dialogs.py"/><source>&amp;Reason</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/board_dialogs.py"/><source>&amp;Stage</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/board_dialogs.py"/><source>The reason is recorded.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/board_dialogs.py"/><source>last stage</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>StatisticsView</name>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>1 video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>All</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>All tables as CSV…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>Annotations</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>Chart as CSV…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>Chart as PNG…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>Chart as SVG…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>Charts</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>Classes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>Click a bar or a cell of a chart to list its rows.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>Click a bar or cell to list what it counts.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>Content</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>Count</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>Counts</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>Data set statistics</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>Export</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>Export chart</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>Export tables</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>Exported {name}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>Filter column</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>Filter value</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>Frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>Include incomplete tasks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>Keyframes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>No data yet</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>No task is complete yet. Counts, label frequencies and distributions appear here as tasks are completed; “Include incomplete tasks” shows what is there already.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>No values yet.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>Per video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>Rows behind the chart</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>Share</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>Show the chart as a table</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>Table</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>Time</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>Type</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>Value</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>Values</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>Video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>Videos</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>{n:,} videos</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>{name}: {n}. Double-click a row to open the video there.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>{n} more in the exported table.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/statistics_view.py"/><source>{n} tables exported</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>StatusLine</name>
    <message><location filename="../../annotator/ui/bars/status_line.py"/><source> ({n} more)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/bars/status_line.py"/><source>Tracking</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/bars/status_line.py"/><source>Tracking points</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/bars/status_line.py"/><source>Tracking {name}</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>StudiesPage</name>
    <message><location filename="../../annotator/ui/lead/studies/page.py"/><source>90% Wilson confidence intervals. Majority accuracy: fully answered items with more than half correct.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/page.py"/><source>Accuracy</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/page.py"/><source>Answers</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/page.py"/><source>Answers assigned</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/page.py"/><source>Answers given</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/page.py"/><source>CI lower</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/page.py"/><source>CI upper</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/page.py"/><source>Cannot create the study: no resolved items are available yet.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/page.py"/><source>Condition</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/page.py"/><source>Create study</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/page.py"/><source>Export results…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/page.py"/><source>Export statistics, answers, and the assignment plan. Names of people are not included.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/page.py"/><source>Exported {names}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/page.py"/><source>Items</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/page.py"/><source>Majority accuracy</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/page.py"/><source>Median time</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/page.py"/><source>New study…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/page.py"/><source>No studies yet. In a human-baseline study, independent people answer resolved items, so that you can measure human accuracy. Add participants on the People page, then create a study.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/page.py"/><source>People</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/page.py"/><source>Person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/page.py"/><source>Reassign study</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/page.py"/><source>Reassign study…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/page.py"/><source>Results</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/page.py"/><source>Studies</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/page.py"/><source>Study</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/page.py"/><source>Study type</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/page.py"/><source>Study {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/page.py"/><source>Subset</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/page.py"/><source>The recipe of this project defines no study. Add a task type with the purpose “study” to the recipe.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/page.py"/><source>The study is assigned to {n} people.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/page.py"/><source>Update the assignment plan after people join or leave.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/page.py"/><source>{given:,} of {assigned:,} answers to {items:,} items</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/page.py"/><source>{n:,} not scored yet</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/page.py"/><source>“{name}” was created. Participants find their items in My work.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>StudyDialog</name>
    <message><location filename="../../annotator/ui/lead/studies/study_dialogs.py"/><source>&amp;Area</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/study_dialogs.py"/><source>&amp;Items (random sample)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/study_dialogs.py"/><source>&amp;Name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/study_dialogs.py"/><source>&amp;Split</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/study_dialogs.py"/><source>&amp;Tag</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/study_dialogs.py"/><source>A&amp;nswers per item</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/study_dialogs.py"/><source>Conditions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/study_dialogs.py"/><source>Limit each person to one item per &amp;group</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/study_dialogs.py"/><source>Maximum items per &amp;person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/study_dialogs.py"/><source>Pe&amp;ople</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>SubmitDialog</name>
    <message><location filename="../../annotator/ui/work/submit.py"/><source>1 item is open. Go to the item, or continue anyway.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/submit.py"/><source>Approve</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/submit.py"/><source>Checklist: {done} of {n} done</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/submit.py"/><source>Go to item</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/submit.py"/><source>Issues: {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/submit.py"/><source>No open items.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/submit.py"/><source>Open items</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/submit.py"/><source>Review</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/submit.py"/><source>Send back…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/submit.py"/><source>Submit</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/submit.py"/><source>{n} items are open. Go to an item, or continue anyway.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/submit.py"/><source>{verb} with 1 open item</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/submit.py"/><source>{verb} with {n} open items</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>TableWithExport</name>
    <message><location filename="../../annotator/ui/lead/statistics/table_with_export.py"/><source>Export CSV…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/table_with_export.py"/><source>Export “{title}” as CSV</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/table_with_export.py"/><source>No data yet.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>TaskActions</name>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>Approved.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>Compare your answer with the correct answer, then submit.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>Enter a reason for reopening. The reason is recorded with the task.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>Enter a reason. The task will not be offered to you again.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>No tasks are waiting for you.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>Reopen</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>Reopen task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>Skip</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>Skip task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>Skipped.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>Submitted.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>Submitted. The next task is in the list.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>Submitted. The reference is shown with your work.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>Task released. Your draft is kept.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>The task is reopened.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>There are no more tasks in the list.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_actions.py"/><source>{n} more answers are missing.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>TaskHeader</name>
    <message><location filename="../../annotator/ui/work/task_header.py"/><source>Approve</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_header.py"/><source>Every edit is saved immediately.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_header.py"/><source>Your active time on this task in this stage</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_header.py"/><source>locked</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_header.py"/><source>read-only</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_header.py"/><source>round {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_header.py"/><source>saved</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_header.py"/><source>saved {ago}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_header.py"/><source>sent back</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>TasksPanel</name>
    <message><location filename="../../annotator/ui/work/tasks_panel.py"/><source>Add videos…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/tasks_panel.py"/><source>Search tasks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/tasks_panel.py"/><source>Search tasks by name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/tasks_panel.py"/><source>Tasks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/tasks_panel.py"/><source>file notes: {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/tasks_panel.py"/><source>video not found</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/tasks_panel.py"/><source>{done} of {n} submitted</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/tasks_panel.py"/><source>{name}
{size}, {n} frames, {rate:.2f} frames/s</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/tasks_panel.py"/><source>{n} assigned to you</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>TeamSetupDialog</name>
    <message><location filename="../../annotator/ui/lead/setup/team_setup.py"/><source>People</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/team_setup.py"/><source>Set up</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/team_setup.py"/><source>Set up team work</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/team_setup.py"/><source>Workflow</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>TextEditor</name>
    <message><location filename="../../annotator/ui/forms/fields/text_fields.py"/><source>{n} of at least {least} characters</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/text_fields.py"/><source>{n} of {most} characters</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ThinningDialog</name>
    <message><location filename="../../annotator/ui/dialogs/keyframe_reduction.py"/><source> px</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/keyframe_reduction.py"/><source>Keyframes are deleted where interpolation stays within one of these tolerances. Keyframes where an object appears, leaves or changes its occlusion are kept.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/keyframe_reduction.py"/><source>Keyframes: {now:,} → {kept:,}. Largest deviation: {deviation:.1f} px.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/keyframe_reduction.py"/><source>Largest deviation</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/keyframe_reduction.py"/><source>Or overlap (IoU) of at least</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/keyframe_reduction.py"/><source>Thin keyframes</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>TimelineView</name>
    <message><location filename="../../annotator/ui/timeline/timeline_view.py"/><source>Timeline</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>ToneDialog</name>
    <message><location filename="../../annotator/ui/dialogs/tone_dialog.py"/><source>&amp;Brightness</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/tone_dialog.py"/><source>&amp;Contrast</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/tone_dialog.py"/><source>&amp;Gamma</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/tone_dialog.py"/><source>Brightness</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/tone_dialog.py"/><source>Contrast</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/tone_dialog.py"/><source>Gamma</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/tone_dialog.py"/><source>Image adjustments</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/tone_dialog.py"/><source>Only the display changes. The video file stays as it is.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>TracksEditor</name>
    <message><location filename="../../annotator/ui/forms/fields/video_fields.py"/><source>Click the objects in the video, or select them here.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/video_fields.py"/><source>This video has no annotated objects.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>TrainingStrip</name>
    <message><location filename="../../annotator/ui/work/task_strips.py"/><source>Compare with reference</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_strips.py"/><source>Training result: {errors}. “Changes” lists each difference.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_strips.py"/><source>Training task. After you submit it, the reference is shown with your work.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_strips.py"/><source>boxes overlap {n:.0%}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_strips.py"/><source>edges {n:.0f} ms off</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_strips.py"/><source>points {n:.1f} px off</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_strips.py"/><source>visibility {n:.0%} correct</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_strips.py"/><source>{n} additional</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/task_strips.py"/><source>{n} of {m} found</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>TransportBar</name>
    <message><location filename="../../annotator/ui/bars/transport.py"/><source>Frames dropped because the computer was too slow</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/bars/transport.py"/><source>Playback speed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/bars/transport.py"/><source>Speed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/bars/transport.py"/><source>Time from the first frame to this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/bars/transport.py"/><source>Volume</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/bars/transport.py"/><source>{n} dropped</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>TruthEditor</name>
    <message><location filename="../../annotator/ui/forms/fields/choice_fields.py"/><source>No</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/choice_fields.py"/><source>Yes</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>Verdicts</name>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>1 change is rejected.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>1 comment is not resolved.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>Sent back. Another person will correct the task.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>Sent back. No eligible person is left to correct the task; a lead decides.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>{n} changes are rejected.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>{n} comments are not resolved.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/verdicts.py"/><source>{n} of {m} changes are not reviewed.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>VideoFetching</name>
    <message><location filename="../../annotator/ui/work/shared/video_fetching.py"/><source>1 video of your tasks is not on this computer yet.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/shared/video_fetching.py"/><source>Fetch “{name}”</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/shared/video_fetching.py"/><source>Fetching from {source}…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/shared/video_fetching.py"/><source>Paused while a video plays</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/shared/video_fetching.py"/><source>Search for missing videos</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/shared/video_fetching.py"/><source>The source is {source}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/shared/video_fetching.py"/><source>{n} videos of your tasks are not on this computer yet.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>VoteStrip</name>
    <message><location filename="../../annotator/ui/forms/question_panel.py"/><source>Overrule</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/question_panel.py"/><source>Overrule vote</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/question_panel.py"/><source>Overrule…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/question_panel.py"/><source>Resolved by vote. The answers are locked.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/question_panel.py"/><source>Vote overruled: {reason}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/question_panel.py"/><source>Why is the vote wrong? The reason is stored with the result (up to {n} characters).</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>WorkActions</name>
    <message><location filename="../../annotator/ui/commands/edit_actions.py"/><source>Cannot track: the video file is missing. Locate the video first.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/edit_actions.py"/><source>No more frames have a confidence below {percent}%.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/edit_actions.py"/><source>No proposals to accept in this range.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/edit_actions.py"/><source>You have seen all frames. Restarting at the lowest confidence.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>WorkBar</name>
    <message><location filename="../../annotator/ui/bars/status_line.py"/><source>Background jobs</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/bars/status_line.py"/><source>Working…</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>WorkList</name>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>1 task: open the board</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>In progress</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>Lead decision needed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>My work</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>Ready to start</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>Recently submitted</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>Sent back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>Waiting</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>assigned until {when}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>at least {n} waiting</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>claim the next task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>late: kept for the lead</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>received {time}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>refused: {reason}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>round {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>select a task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>taken in by the lead’s project</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>waiting to be sent</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>{n} question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>{n} questions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>{n} tasks: open the board</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_list.py"/><source>{n} waiting</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>Workspace</name>
    <message><location filename="../../annotator/ui/state/workspace.py"/><source>Reading video…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/state/workspace.py"/><source>Unknown person</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>_Banner</name>
    <message><location filename="../../annotator/ui/bars/banners.py"/><source>Close this message</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>_NameDelegate</name>
    <message><location filename="../../annotator/ui/panels/objects_panel.py"/><source>Object name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/panels/objects_panel.py"/><source>Point name</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>_PlanModel</name>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>(skipped)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>Actions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>Entry</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>Imported before</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>Invalid</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>Objects</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>Objects and segments that overlap existing ones of the same label</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>Points</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>Records that an earlier import of the same content has added</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>Records that are skipped</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>Similar</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>Sounds</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>Video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>new video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>same name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>same size and frame count</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>selected</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/project/import_plan_dialog.py"/><source>the only video</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>actions</name>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>at any time</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>for leads of a project with gold tasks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>for leads of a project with questions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>for leads of a project with stages</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>in a project with stages</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>in a project without stages that can be changed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when a point is selected and can be changed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when a project is open</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when a range is marked</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when a range is marked and the draft can be changed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when a range is marked or a segment is selected</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when a selected object or point has a keyframe on this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when a selected object or point has a proposal on this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when a selected object or point has proposals</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when a video is open</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when a video is open and no questions are asked</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when a video or a sound is open, not a single picture</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when an action or a sound is selected and can be changed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when an object is selected</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when an object is selected and can be changed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when an object or a point is selected</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when an object or a point is selected and a range is marked</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when an object or a point is selected and can be changed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when an object, a point or a segment is selected and can be changed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when questions are asked about a video or a sound, not a single picture</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when questions are asked about the video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when questions are asked and can be answered</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when the draft can be changed and no questions are asked</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when the draft differs from the submission</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when the draft differs from the submission and can be changed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when the draft differs from the submission and the stage can return it</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when the open task is free for you</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when the project can be changed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when the task has a submission</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when the task has been submitted and may be reopened</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when the task is yours, at a stage that may send it back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when the task is yours, in a project with stages</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when the video has action or sound segments</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when the video has objects or points</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when the video has sound</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when the video's draft can be changed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when the video's file is not found</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when there are comments</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when there is something to redo</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when there is something to undo</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when two objects are selected and can be changed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when two objects or a segment are selected and can be changed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/specs.py"/><source>when videos are missing and the project says where they are</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>About annotator</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Accept</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Accept all</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Accept all proposals of the selected object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Accept in range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Accept the change and go to the next one; repeat to undo</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Accept the proposal on this frame, or check a frame that was accepted without being shown</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Accept the proposals from the previous keyframe to this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Accept the proposals from this frame to the next keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Accept the proposals of the selected objects in the marked range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Accept this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Accept up to here</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Accept up to the next keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Actual size</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Add a comment on the selection, this frame, or the task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Add another answer</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Add another answer to this question, if it accepts several</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Add comment…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Add folders and lists of videos, with metadata from a table</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Add many videos…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Add video files to the project without copying them</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Add videos…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Add, deactivate, or reactivate people, and set their roles and PINs</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Answers</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Apply selected label</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Apply the label selected in the list to the selected segment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Attributes on labels</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Board</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Cancel drawing, clear the selection, or stop tracking</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Change appearance, shortcuts, playback, and tracking</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Change brightness, contrast and gamma of the display</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Change recipe…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Check and correct the selected object or point on many frames at once: unchecked grid frames, then frames of low confidence</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Claim task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Claim this task to work on it</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Clear range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Click an object: a model of yours finds its box</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Click the topmost, leftmost, bottommost, and rightmost point of the object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Click to place the selected point, or a new one on the selected object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Click to select, drag to move, drag a handle to resize</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Click two opposite corners of the object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Close the program; all edits are already saved</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Collapse or expand the point lanes of the selected object in the timeline</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Collapse point lanes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Collect submissions…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Compare side by side</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Compare the earlier submission (left) and the current state (right) with a movable divider</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Compare with divider</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Continue</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Continue a submitted task; the existing submission is kept</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Create a project file and add videos to it</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Create an action or sound from the marked range with the selected label</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Create segment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Create the questions and their tasks, step by step</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Data set</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Decrease the playback speed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Delete</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Delete all keyframes of the object in the marked range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Delete keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Delete keyframes in range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Delete point</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Delete segment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Delete the keyframes of the selected objects that interpolation replaces within a tolerance</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Delete the selected object's keyframe on this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Delete the selected objects on all frames, or the selected segment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Delete the selected points on all frames</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Delete the selected segment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Dismiss in range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Dismiss proposals here</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Dismiss the proposals between the two keyframes around this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Dismiss the proposals of the selected objects in the marked range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Drag a box around a new object or the selected object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Draw a new object with the last used tool</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Draw again</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Draw box</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Draw box by click (model)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Draw box by four extreme points</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Draw box by two corners</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Duplicate segment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Duplicate the selected segment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Edit</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>End segment here</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>End the marked range at this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>End the selected segment at this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>End this object here and name the objects it becomes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Enlarge the video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Every edit is saved automatically; this shows when the last one was saved</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Export all your submissions to a file for the lead</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Export annotations to a file in a benchmark format</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Export annotations…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Export frames, objects, clips of actions and sounds, or videos with the annotations drawn in</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Export images and clips…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Export my submissions…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Export the tasks of one person to a file for offline work</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Export work package…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Faster</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Fetch missing videos from the source that the project names</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Fetch videos</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>File</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>First frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>First frame of the object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Fit to window</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Flag a problem with this question, or remove the flag</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Flag question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Full screen</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go back one second</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go forward one second</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to a frame number or time</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to end of range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to frame…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to start of range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the first frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the first frame of the marked range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the first keyframe of the selected object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the last frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the last frame of the marked range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the last keyframe of the selected object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the midpoint between the two keyframes around this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the next empty field of this question, or to the next question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the next frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the next grid frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the next keyframe of the selected object that a person set</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the next unanswered question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the next unresolved comment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the next unreviewed change</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the previous frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the previous grid frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the previous keyframe of the selected object that a person set</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the previous question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the previous unresolved comment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the previous unreviewed change</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the selected object's next keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the selected object's previous keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Go to the unreviewed proposal with the lowest confidence</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Gold tasks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Guidelines</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Help</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Hide</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Hide or show the selected objects in the video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Image adjustments…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Import annotations from a file</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Import annotations…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Import predictions…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Import submission files from work packages; known submissions are skipped</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Import the results of a model as proposals to be accepted or dismissed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Increase the playback speed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Keep point centered</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Keep the selected point centered while the video moves, to reveal drift</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Keyboard shortcuts</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Last frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Last frame of the object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Lead</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Locate video…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Lock</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Lock or unlock the selected objects</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Loop</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Lowest-confidence frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Make box narrower</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Make box shorter</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Make box taller</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Make box wider</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Mark end of range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Mark occluded in range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Mark out of view in range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Mark role as not annotated</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Mark start of range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Mark the active or first open role as having no annotated object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Mark the object as occluded on all frames of the marked range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Mark the object as out of view on all frames of the marked range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Mark the object as partly or completely hidden until the next keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Mark the object out of view until the next keyframe, or a sound's source</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Mark whether the source of the sound is out of view</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Merge</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Merge segments</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Merge the segment with the next adjacent or overlapping segment of the same label</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Merge the two selected objects, or the selected segment with the adjacent one</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Middle of gap</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Motion curves</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Move box down</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Move box left</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Move box right</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Move box up</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Move edge 1 ms earlier</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Move edge 1 ms later</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Move edge one frame earlier</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Move edge one frame later</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Move the active edge of a sound by one millisecond</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Move the active segment edge by one frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Move the bottom edge of the selected box by one pixel</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Move the keyboard focus to the next panel</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Move the keyboard focus to the previous panel</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Move the right edge of the selected box by one pixel</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Move the selected box down by one pixel</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Move the selected box left by one pixel, or the segment edge by one frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Move the selected box right by one pixel, or the segment edge by one frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Move the selected box up by one pixel</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Mute</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Mute or unmute the audio</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>My work</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>New project…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Next change</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Next comment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Next edge</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Next grid frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Next keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Next manual keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Next object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Next panel</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Next segment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Next task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Next unanswered question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Occluded</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>One frame back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>One frame forward</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>One second back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>One second forward</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Open a project file</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Open a sample video with annotations</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Open demo project</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Open project…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Open the next task in the list, or claim the next task in your queue</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Open the previous task in the list</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Open the user guide</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Out of view</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Paint segment while held</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Pause tracking</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Pause tracking until you switch this off</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>People</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Place and advance</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Place points</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Place the selected point with each click and go to the next frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Play and create a segment for as long as the key is held</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Play backward</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Play backward at a quarter of the speed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Play backward slowly</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Play backward; press again to play faster; hold K to step one frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Play forward</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Play forward at a quarter of the speed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Play forward slowly</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Play forward; press again to play faster; hold K to step one frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Play or pause</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Play or pause only the second video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Play or pause second video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Play range once</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Play the marked range or the selected segment once</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Play the video from its first frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Playback</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Points</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Preferences…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Prepare proposals…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Preview questions…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Previous change</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Previous comment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Previous edge</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Previous grid frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Previous keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Previous manual keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Previous object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Previous panel</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Previous question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Previous segment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Previous task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Proposal gallery…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Proposals</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Qualification</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Questions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Quit</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Redo</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Redo the last undone edit</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Reject the change; the reason is included when you send back the task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Reject…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Release task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Remove the marked range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Rename the selected object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Rename…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Reopen task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Repeat the marked range, the selected segment, or the whole video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Replay from start</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Return this task to the queue; your annotations are kept</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Revert</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Revert only this change</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Review</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Sample submissions, review them, and give feedback</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Save</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Save a copy…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Save recipe…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Save the recipe of this project to a file for editing or reuse</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Save the whole project to a new file</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Segment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Select a label; hold during playback to paint; with an action selected, fill its role</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Select a workflow with stages for this project, and add people</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Select all objects</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Select all objects in the video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Select and move</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Select answer 11 to 20</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Select answer by digit</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Select label or role by digit</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Select the new location of the video file</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Select the next action or sound and go to its start</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Select the next object on this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Select the next segment edge and go to it</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Select the option with this number plus ten</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Select the option with this number; toggle it if several can be selected</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Select the previous action or sound and go to its start</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Select the previous object on this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Select the previous segment edge and go to it</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Send back…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Send the task to another rater for correction, with reasons</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Set a keyframe with the current box on this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Set keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Set up team work…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Share the project through a folder or a server, so that raters claim tasks by themselves</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Share the work…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Show all tasks by stage and state; assign, unassign, or reopen them</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Show and search all keyboard shortcuts</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Show changed annotations of the earlier submission as dashed outlines</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Show daily progress, queues, returned tasks, and annotation time</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Show data set statistics, splits and evaluation</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Show earlier submission</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Show human performance on the questions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Show items, votes, agreement, and accuracy by person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Show one video pixel per screen pixel</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Show or hide the audio spectrogram in the timeline</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Show or hide the audio waveform in the timeline</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Show position and speed of the selected point over time</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Show qualification tests and grade their answers</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Show the annotation guidelines for this task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Show the attributes of objects after their names in the video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Show the earlier submission and the current state side by side, with synchronized playback</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Show the errors of each person on tasks with known results</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Show the questions of the recipe as raters see them, and try them</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Show the whole video frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Show version and licenses</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Show your tasks: sent back, in progress, and waiting</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Shrink the video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Sign in as another person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Skip task…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Skip this task permanently and give a reason</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Slower</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Sound source out of view</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Spectrogram</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Split here</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Split into children…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Split segment here</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Split the selected object or segment at this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Split the selected segment at this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Spot checks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Start or pause playback</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Start segment here</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Start the marked range at this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Start the selected segment at this frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Statistics</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Stop</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Stop shuttle</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Stop; press twice for normal speed; hold to step frames with J and L</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Studies</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Submit</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Submit this task in its current state</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Swap objects from here</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Swap the two selected objects from this frame on</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Switch between full screen and window</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Switch person…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Switch to another recipe, or to a new version, from a file</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Thin keyframes…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Track objects</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Track objects in many tasks in advance, from keyframes or detections</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Track the selected objects to create or recompute proposals</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Undo</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Undo the last edit</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>User guide</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>View</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Waveform</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Zoom in</source><translation type="unfinished"></translation></message>
    <message><location filename="../../resources/actions.toml"/><source>Zoom out</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>benchmarks</name>
    <message><location filename="../../annotator/benchmarks/neptune/__init__.py"/><source>Certificates</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/neptune/__init__.py"/><source>Certificates by QAD set</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/neptune/__init__.py"/><source>Discarded</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/neptune/__init__.py"/><source>Discarded QAD sets</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/neptune/__init__.py"/><source>Extent (s)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/neptune/__init__.py"/><source>Import proposed QAD sets…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/neptune/__init__.py"/><source>Kept QAD sets by modality</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/neptune/__init__.py"/><source>Length (s)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/neptune/__init__.py"/><source>Marking time (s)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/neptune/__init__.py"/><source>Marking time: median over raters, from opening the QAD set to marking the spans.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/neptune/__init__.py"/><source>Maximum</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/neptune/__init__.py"/><source>Mean</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/neptune/__init__.py"/><source>Measure</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/neptune/__init__.py"/><source>Median</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/neptune/__init__.py"/><source>Minimum</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/neptune/__init__.py"/><source>Modality</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/neptune/__init__.py"/><source>Name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/neptune/__init__.py"/><source>QAD set</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/neptune/__init__.py"/><source>QAD sets</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/neptune/__init__.py"/><source>Question type</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/neptune/__init__.py"/><source>Rater</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/neptune/__init__.py"/><source>Reason</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/neptune/__init__.py"/><source>Resolved QAD sets. Sets can have several reasons. Rater rows: sets the rater would discard.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/neptune/__init__.py"/><source>Share</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/neptune/__init__.py"/><source>Share of the video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/neptune/__init__.py"/><source>Spans</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/neptune/__init__.py"/><source>Subset</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/neptune/__init__.py"/><source>The shortest spans that prove an answer, for kept QAD sets.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/neptune/__init__.py"/><source>Video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/neptune/__init__.py"/><source>all</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/neptune/__init__.py"/><source>audio only</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/neptune/__init__.py"/><source>vision and audio together</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/neptune/__init__.py"/><source>vision only</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/neptune/__init__.py"/><source>vision or audio</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/pacs/__init__.py"/><source>Asks for the focus object of every clip, from its middle frame only.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/pacs/__init__.py"/><source>Asks the same rater again, with the whole clip and its sound.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/pacs/__init__.py"/><source>Asks two more raters. A data point is kept if all three give the same answer.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/pacs/__init__.py"/><source>Assign written questions to pairs</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/pacs/__init__.py"/><source>Assigns thirteen questions that were written for other pairs to each pair.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/pacs/__init__.py"/><source>Create confirmation tasks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/pacs/__init__.py"/><source>Create focus-object tasks (middle frame)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/pacs/__init__.py"/><source>Create focus-object tasks (with sound)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/pacs/__init__.py"/><source>Import questions…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/pacs/__init__.py"/><source>Pair objects</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/pacs/__init__.py"/><source>Pairs the objects of kept clips, three pairs each, and asks for a question about each.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/video_tt/__init__.py"/><source>Asks for a question about every video, or about those that two raters found suitable.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/video_tt/__init__.py"/><source>Asks for questions about a sample of the videos, to find out what raters understand differently. Optional.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/video_tt/__init__.py"/><source>Asks whether each video is suitable. Optional; the alignment step asks a second rater.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/video_tt/__init__.py"/><source>CI lower</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/video_tt/__init__.py"/><source>CI upper</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/video_tt/__init__.py"/><source>Correct</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/video_tt/__init__.py"/><source>Correct answers by video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/video_tt/__init__.py"/><source>Correctly led</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/video_tt/__init__.py"/><source>Correctly led question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/video_tt/__init__.py"/><source>Create alignment tasks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/video_tt/__init__.py"/><source>Create primary-question tasks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/video_tt/__init__.py"/><source>Create trial-question tasks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/video_tt/__init__.py"/><source>Create video suitability tasks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/video_tt/__init__.py"/><source>Human accuracy</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/video_tt/__init__.py"/><source>If a question has several answers, more than half must be correct.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/video_tt/__init__.py"/><source>Multiple choice</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/video_tt/__init__.py"/><source>Paraphrased</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/video_tt/__init__.py"/><source>Paraphrased question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/video_tt/__init__.py"/><source>Primary</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/video_tt/__init__.py"/><source>Primary question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/video_tt/__init__.py"/><source>Robustness: all five</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/video_tt/__init__.py"/><source>Robustness: all five questions correct, among videos with a correct primary question. Involved people are excluded. 90% confidence intervals.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/video_tt/__init__.py"/><source>Shows two raters what one person wrote or decided. Repeat it after each step above.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/video_tt/__init__.py"/><source>Store agreed texts</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/video_tt/__init__.py"/><source>Stores what two raters agree on, samples questions to check, and asks for the variants.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/video_tt/__init__.py"/><source>Total</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/video_tt/__init__.py"/><source>Wrongly led</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/video_tt/__init__.py"/><source>Wrongly led question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/video_tt/__init__.py"/><source>correct</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/benchmarks/video_tt/__init__.py"/><source>incorrect</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/services/questions/recipe_steps.py"/><source>Add imported questions as study items</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/services/questions/recipe_steps.py"/><source>Create answer-scoring tasks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/services/questions/recipe_steps.py"/><source>Create grounded questions from track rules</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/services/questions/recipe_steps.py"/><source>Create questions from the question bank</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/services/questions/recipe_steps.py"/><source>Create tasks for imported questions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/services/questions/recipe_steps.py"/><source>Finds the tracks that may answer a question in videos whose tracks are submitted.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/services/questions/recipe_steps.py"/><source>For each video, by its script. Questions without options are asked openly first.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/services/questions/recipe_steps.py"/><source>Gives each resolved question its three options. Needs answers about most videos.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/services/questions/recipe_steps.py"/><source>Keep confirmed tracks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/services/questions/recipe_steps.py"/><source>Lets raters answer imported questions that have no correct answer.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/services/questions/recipe_steps.py"/><source>Lets raters score the open answers of a study from 0 to 5.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/services/questions/recipe_steps.py"/><source>Sample the answer options</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/services/questions/recipe_steps.py"/><source>Store answers of imported questions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/services/questions/recipe_steps.py"/><source>Stores the tracks that raters confirmed.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/services/questions/recipe_steps.py"/><source>Stores what the raters agreed on, to be exported as the answer.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/services/questions/recipe_steps.py"/><source>Takes over the multiple-choice questions of an imported file for a study.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>canvas</name>
    <message><location filename="../../annotator/ui/canvas/input/gestures.py"/><source>Select the object that the point belongs to.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/input/gestures.py"/><source>The box is too small. Zoom in or draw a larger box.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/input/gestures.py"/><source>back in view from here</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/input/gestures.py"/><source>corrects the proposal</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/input/gestures.py"/><source>{count} more clicks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/input/gestures.py"/><source>{count} objects</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/input/gestures.py"/><source>“{name}” is locked. Unlock it to edit it.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/input/keys.py"/><source>Accepted proposal</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/input/keys.py"/><source>Click: accept · Drag: correct</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/input/keys.py"/><source>Click: accept · Drag: correct · Right-click: occluded</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/input/keys.py"/><source>Drag: back in view from here</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/input/keys.py"/><source>Drag: move (Shift: finer) · Right-click: occluded</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/input/keys.py"/><source>Imported</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/input/keys.py"/><source>Interpolated</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/input/keys.py"/><source>Keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/input/keys.py"/><source>Locked</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/input/keys.py"/><source>Occluded</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/input/keys.py"/><source>Occluded; the cross marks an estimate</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/input/keys.py"/><source>Out of view; last known position</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/input/keys.py"/><source>Outdated proposal; a new one follows</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/input/keys.py"/><source>Placed manually</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/input/keys.py"/><source>Proposed, confidence {percent}%</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/model/frame_annotations.py"/><source>Bring “{name}” back into view (Alt: new object)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/model/frame_annotations.py"/><source>New object “{name}”</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/model/frame_annotations.py"/><source>Redraw “{name}” (Alt: new object)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/model/frame_annotations.py"/><source>Start “{name}” here (Alt: new object)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/model/frame_annotations.py"/><source>object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/model/layers.py"/><source>Current</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/model/point_board.py"/><source>New point</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/model/point_board.py"/><source>New point on “{name}”</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/model/point_board.py"/><source>Place “{name}” (Alt: new point)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/model/point_board.py"/><source>Select an object first</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/model/point_board.py"/><source>point {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/model/summary.py"/><source>1 box</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/model/summary.py"/><source>1 point</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/model/summary.py"/><source>Frame {index}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/model/summary.py"/><source>Frame {index}, {count}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/model/summary.py"/><source>No video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/model/summary.py"/><source>Out of view: {names}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/model/summary.py"/><source>and {n} more</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/model/summary.py"/><source>locked</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/model/summary.py"/><source>occluded</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/model/summary.py"/><source>outdated proposal</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/model/summary.py"/><source>proposed, {percent}%</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/model/summary.py"/><source>selected</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/model/summary.py"/><source>{n} boxes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/model/summary.py"/><source>{n} points</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/painting/canvas_scene.py"/><source>Arrows: move · Shift: by 10 · Ctrl: by 0.1 · Enter: done</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/painting/canvas_scene.py"/><source>Arrows: move · Shift: by 10 · Ctrl: resize · Enter: done</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/painting/canvas_scene.py"/><source>No video is open</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/painting/canvas_scene.py"/><source>Showing frame {shown} instead of {wanted}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/canvas/painting/canvas_scene.py"/><source>This file has audio but no video.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>checklist</name>
    <message><location filename="../../annotator/ui/work/guideline_panels.py"/><source>{text} ({n} open)</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>files</name>
    <message><location filename="../../annotator/ui/dialogs/file_dialogs.py"/><source>Add videos</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/file_dialogs.py"/><source>Annotations ({patterns});;All files (*)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/file_dialogs.py"/><source>Change recipe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/file_dialogs.py"/><source>Export annotations</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/file_dialogs.py"/><source>Export label set</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/file_dialogs.py"/><source>Export table</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/file_dialogs.py"/><source>Folders (*)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/file_dialogs.py"/><source>Import annotations</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/file_dialogs.py"/><source>Import label set</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/file_dialogs.py"/><source>Label sets (*.toml)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/file_dialogs.py"/><source>Label sets (*.toml);;All files (*)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/file_dialogs.py"/><source>Model file</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/file_dialogs.py"/><source>Models (*.onnx);;All files (*)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/file_dialogs.py"/><source>Open project</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/file_dialogs.py"/><source>Projects (*.annot)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/file_dialogs.py"/><source>Projects, work packages and invitations (*.annot *.work *.annot-invite);;All files (*)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/file_dialogs.py"/><source>Recipes (*.toml)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/file_dialogs.py"/><source>Save a copy</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/file_dialogs.py"/><source>Save recipe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/file_dialogs.py"/><source>Tables (*.csv)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/file_dialogs.py"/><source>Video and audio files ({names});;All files (*)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/file_dialogs.py"/><source>“{name}” exists. Enter a new name.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/file_dialogs.py"/><source>“{name}” exists. Projects are not replaced: enter a new name.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>gallery</name>
    <message><location filename="../../annotator/ui/dialogs/gallery_content.py"/><source>Accepted</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/gallery_content.py"/><source>Accepted, not seen yet</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/gallery_content.py"/><source>Before the first box</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/gallery_content.py"/><source>Checked</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/gallery_content.py"/><source>Click the position of the point where it is wrong. “{occluded}” marks it as occluded, “{outside}” as out of view. The space bar opens the frame in the window.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/gallery_content.py"/><source>Drag on a frame to draw the box again. “{outside}” marks the object as out of view, “{occluded}” as occluded. A double-click opens the frame in the window.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/gallery_content.py"/><source>Keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/gallery_content.py"/><source>Manual</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/gallery_content.py"/><source>No proposal</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/gallery_content.py"/><source>No proposals of this object are left to accept.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/gallery_content.py"/><source>No proposals of this point are left to accept.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/gallery_content.py"/><source>Occluded</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/gallery_content.py"/><source>Out of view</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/gallery_content.py"/><source>Outdated</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/gallery_content.py"/><source>Place the point on its last visible frame first: a correction removes the proposals after it.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/gallery_content.py"/><source>The object is locked.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/gallery_content.py"/><source>The point is locked.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/gallery_content.py"/><source>These are the frames with the lowest confidence.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/gallery_content.py"/><source>You have seen all frames that need a look. Accept the other proposals, or leave them for later.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/gallery_content.py"/><source>{n} more grid frame follows.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/gallery_content.py"/><source>{n} more grid frames follow.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/dialogs/gallery_content.py"/><source>{percent:.0f}% confidence</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>lead</name>
    <message><location filename="../../annotator/ui/lead/answers/agreement_box.py"/><source>CI lower</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/agreement_box.py"/><source>CI upper</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/agreement_box.py"/><source>Items</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/agreement_box.py"/><source>Method</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/agreement_box.py"/><source>Question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/agreement_box.py"/><source>Raters</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/agreement_box.py"/><source>Subset</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/agreement_box.py"/><source>Value</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>Flags</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>Purpose</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>Reason</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>Resolved answer</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>Resolved by</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>State</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>Videos</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>Votes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>adjudication</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>k of n</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>majority</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>one rater</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>review</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>unanimity</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>vote overruled</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>{n} voided</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/items_box.py"/><source>{rule}: {name}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/open_answers_box.py"/><source>Answer</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/open_answers_box.py"/><source>Count</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/open_answers_box.py"/><source>Merge answers</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/open_answers_box.py"/><source>Merged</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/open_answers_box.py"/><source>Spellings</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/open_answers_box.py"/><source>These answers count as one answer wherever the same question is asked: {answers}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/answers/open_answers_box.py"/><source>by {name}, {when}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/board_dialogs.py"/><source>1 task selected.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/board_dialogs.py"/><source>Assign</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/board_dialogs.py"/><source>Complete tasks repeat the later stages with these guidelines.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/board_dialogs.py"/><source>Select the assignee.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/board_dialogs.py"/><source>Set priority</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/board_dialogs.py"/><source>Start new round</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/board_dialogs.py"/><source>Tasks with the highest number come first in their queue. The default is 0.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/board_dialogs.py"/><source>{n} tasks selected.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/board_rows.py"/><source>Assignee</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/board_rows.py"/><source>Last change</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/board_rows.py"/><source>Notes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/board_rows.py"/><source>Priority</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/board_rows.py"/><source>Round</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/board_rows.py"/><source>Script</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/board_rows.py"/><source>Stage</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/board_rows.py"/><source>Task type</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/board_rows.py"/><source>Video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/board_rows.py"/><source>gold task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/board_rows.py"/><source>reference</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/board_rows.py"/><source>sent back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/history.py"/><source>All submissions are complete. The result is being resolved.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/history.py"/><source>Lead decision needed: {need}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/history.py"/><source>One more submission was requested.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/history.py"/><source>The assignee was deactivated</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/history.py"/><source>The lease expired; the draft is kept</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/history.py"/><source>The submissions were resolved into one result.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/history.py"/><source>The system</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/history.py"/><source>The task can be claimed again.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/history.py"/><source>The task is complete.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/history.py"/><source>The task is waiting at “{stage}”.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/history.py"/><source>The task was added.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/history.py"/><source>The task was sent back to “{stage}”.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/history.py"/><source>{by} added the task.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/history.py"/><source>{by} approved the task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/history.py"/><source>{by} assigned the task to {who}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/history.py"/><source>{by} marked the task as complete</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/history.py"/><source>{by} released the task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/history.py"/><source>{by} reopened the task at “{stage}”</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/history.py"/><source>{by} sent the task back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/history.py"/><source>{by} set the priority to {n}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/history.py"/><source>{by} skipped the task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/history.py"/><source>{by} started round {n} at “{stage}”</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/history.py"/><source>{by} submitted the task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/history.py"/><source>{by} unassigned the task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/history.py"/><source>{by} used an extra submission as the result of “{stage}”</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/history.py"/><source>{by} voided a vote; it is asked again</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/history.py"/><source>{by} withdrew the task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/history.py"/><source>{text} (frame {n})</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/history.py"/><source>{text}, with a rule override</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/history.py"/><source>{who} claimed the task.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/history.py"/><source>{who} was excluded from the task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/stage_cards.py"/><source>All tasks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/stage_cards.py"/><source>no tasks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>1 task updated.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>1 task will change.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>1 task.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>Canceled: 1 was not processed.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>Canceled: {n} were not processed.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>Checking the selected tasks…</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>{n} not updated: {reason}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>{n} tasks updated.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>{n} tasks will change.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>{n} tasks.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/board/task_actions_bar.py"/><source>{n} will not: {reason}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Action duration</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Actions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Actions by label</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Actions by week of submission</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Actions × sounds by common object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>All objects</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>AssA</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Attribute: {column}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Baseline: built-in trackers</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Baseline: even motion</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Baseline: most frequent answer</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Baseline: no motion</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Baseline: random answer</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Box positions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Box size (side, share of the image)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Box widths × heights</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>DetA</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Different values: {column}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Grounded questions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Grounded questions (imported)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>HOTA</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>IDF1</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Labels in the same video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>LocA</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>MOTA</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>MOTP</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Multiple choice</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Multiple choice (imported)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Object tracks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Objects by role of actions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Objects per video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Occluded share of point tracks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Occluded share of tracks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>People: before and after checks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>People: independent submissions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Point tracks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Point tracks by name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Point tracks by week of submission</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Points per object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Questions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Questions by {column}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Sound duration</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Sounds</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Sounds by label</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Sounds by week of submission</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Track length</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Tracks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Tracks by label</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Tracks by week of submission</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Use of tracks by {column}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Video duration</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Videos by week of submission</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Videos by {column}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>Words per question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>accuracy</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>average Jaccard (challenge)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>average Jaccard (first)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>average Jaccard (strided)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>average Jaccard (whole video)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>best temporal IoU</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>mAP</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>mAP (ActivityNet)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>mean IoU</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>mean score (0 to 5)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>occlusion accuracy (first)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>occlusion accuracy (strided)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>occlusion accuracy (whole video)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>position accuracy (first)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>position accuracy (strided)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>position accuracy (whole video)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/chart_titles.py"/><source>robustness</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Answer contradicts tracks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Duplicate track</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Implausibly fast task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Jumping box</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Low agreement</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Models differ</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>No model agrees</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>No onset</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Object not in the image</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>People differ</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Possible misspelling</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Roles far apart</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Short segment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Single keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Still box</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Unusual action and sound</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>Unusual size</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>confirmed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>dismissed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>off</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/issues_view.py"/><source>open</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>Moved from split “{old}” to “{new}”.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>Video added.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>Video removed.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/release_view.py"/><source>{a} added, {r} removed, {c} changed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>same file</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>same participant and script</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/dataset/splits_view.py"/><source>similar pictures</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>All fields</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>Area</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>Attribute: {name}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>Box overlap (IoU)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>Class</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>Cohen's kappa</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>Cohen's kappa, linear weights</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>Cohen's kappa, quadratic weights</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>Correctly led question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>Distance of points (px)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>Fleiss' kappa (Gwet 2014)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>Group</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>Item</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>Krippendorff's alpha, interval</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>Krippendorff's alpha, nominal</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>Krippendorff's alpha, ordinal</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>Matched actions and sounds (F1)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>Matched objects (F1)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>Offset of start and end (ms)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>Option</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>Other reason</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>Paraphrased question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>Part</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>Percent agreement</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>Point positions (average Jaccard)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>Primary question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>Rater</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>Reasoning</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>Tag</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>Template</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>Temporal overlap (IoU)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>Wrongly led question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>all</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>all ratings are equal</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>attention checks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>awaiting grade</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>complete</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>discarded</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>failed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>failed, no attempts left</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>gold questions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>guest</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>in progress</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>lead</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>marked as complete early</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>no eligible person left</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>no item was rated by two people</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>no matching cases</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>no resolved items yet</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>only one person answered</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>participant</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>passed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>qualification test</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>rater</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>regular</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>reset</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>resolved</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>resolving</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>reviewer</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>rule override</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>stage missing in the recipe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>study</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>submitted late</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>submitted twice</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>submitted without assignment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>suspended</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>too few common items</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>training</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>waiting</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>warned</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>withdrawn</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>{n} from another method version</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>{n} from different answers</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>{n} reproduced</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>{n} with a different value</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/lead_texts.py"/><source>{n} without matching data</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/people_dialogs.py"/><source>1 person could not be added:</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/people_dialogs.py"/><source>Add person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/people_dialogs.py"/><source>People</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/people_dialogs.py"/><source>Raters annotate and check. Reviewers approve tasks or send them back. Leads manage the project. Participants only answer in studies.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/people_dialogs.py"/><source>Set PIN</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/people_dialogs.py"/><source>Update name and roles</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/people_dialogs.py"/><source>{name} enters the PIN to sign in. Use at least {least} characters.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/people/people_dialogs.py"/><source>{n} people could not be added:</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/bulk_import.py"/><source>1 video added.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/bulk_import.py"/><source>1 was already in the project.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/bulk_import.py"/><source>Add videos</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/bulk_import.py"/><source>Canceled: {n:,} were not processed.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/bulk_import.py"/><source>Line {line} of the table matches no video.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/bulk_import.py"/><source>Looking for files</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/bulk_import.py"/><source>Metadata was added to 1 video.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/bulk_import.py"/><source>Metadata was added to {n:,} videos.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/bulk_import.py"/><source>The file has the same content as {path}. It was added once.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/bulk_import.py"/><source>The table has no row for this video.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/bulk_import.py"/><source>The table was not imported.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/bulk_import.py"/><source>{n:,} could not be added.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/bulk_import.py"/><source>{n:,} videos added.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/bulk_import.py"/><source>{n:,} were already in the project.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/new_project.py"/><source>A different person works on each stage.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/new_project.py"/><source>Each video has one task that anyone can open. There are no roles and no sign-in.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/team_setup.py"/><source>Set up team work</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/team_setup.py"/><source>Submissions stay as they are. Open tasks follow the new recipe.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/team_setup.py"/><source>The new recipe lacks the task type of these open tasks: {names}. They stay on the board, where you can withdraw them, but cannot be claimed.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/team_setup.py"/><source>The project now uses the recipe “{title}”.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/video_sources.py"/><source>{path} (all files)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/cards.py"/><source>Annotation time</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/cards.py"/><source>Complete tasks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/cards.py"/><source>Sent back</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/cards.py"/><source>Submissions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/cards.py"/><source>{hours:,.1f} h remain, estimated</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/cards.py"/><source>{n:,} in the last 7 days</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/cards.py"/><source>{n:,} of {all:,} reviewed submissions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>All</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>{hours:,.1f} hours remain ({low:,.1f} to {high:,.1f}), {days:,.1f} working days.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/page.py"/><source>{rate:.0%} ({n} of {all})</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/table_with_export.py"/><source>Export table</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/statistics/table_with_export.py"/><source>Exported {name}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/study_dialogs.py"/><source>1 answer</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/study_dialogs.py"/><source>1 item</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/study_dialogs.py"/><source>1 person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/study_dialogs.py"/><source>Create study</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/study_dialogs.py"/><source>Each person answers an item at most once, and none about videos they worked on.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/study_dialogs.py"/><source>Each person answers at most one item per group.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/study_dialogs.py"/><source>Independent people answer the items, each item at most once per person. Their answers are excluded from votes and data sets.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/study_dialogs.py"/><source>Items in progress stay with the selected people. Unsubmitted items of deselected people are reassigned.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/study_dialogs.py"/><source>One more independent person is needed.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/study_dialogs.py"/><source>Reassign study</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/study_dialogs.py"/><source>Select the people who answer.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/study_dialogs.py"/><source>but {people} × {each:,} = {sum:,}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/study_dialogs.py"/><source>{least:,} or {most:,}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/study_dialogs.py"/><source>{n:,} answers</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/study_dialogs.py"/><source>{n:,} items</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/study_dialogs.py"/><source>{n:,} more independent people are needed.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/studies/study_dialogs.py"/><source>{n:,} people</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>packages</name>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>1 new submission</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>1 submission</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>1 task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>1 task is not submitted yet.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>1 video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>1 video was not found next to the package. Locate its file.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>Accept</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>Accept key</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>Accept this key of {person}? Later files with another key are marked then.

{key}

{person} sees the same text with “annotator team fingerprint”.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>Collect submissions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>Create project from work package</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>Export my submissions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>Export work package</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>Exported {path}: {n}. Send this file to the lead.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>Exported {path}: {tasks} ({new} newly assigned), {videos} included.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>File not found.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>Not now</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>Open work package</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>Submission files</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>Submission files ({pattern});;All files (*)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>The file is not signed with the accepted key of {person}. Ask {person} whether they use another computer, and accept the new key then.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>The tasks stay assigned to the person until you collect the submissions or unassign them on the board.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>Work packages</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>key changed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>signature not checked</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>signed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>signed with a new key</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>unsigned</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>{file} from {person}: {new}, {known} already collected, {seal}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>{n} new submissions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>{n} submissions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>{n} tasks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>{n} tasks are not submitted yet.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>{n} videos</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/setup/package_actions.py"/><source>{n} videos were not found next to the package. Locate the file of each video.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>review</name>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>Actions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>Added: {name}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>Changed: {what}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>Changed: {what} ({n})</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>Keyframes added ({n})</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>Keyframes removed ({n})</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>Mean of the raters</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>Name: “{old}” → “{new}”</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>No submission (show everything as added)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>Object added</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>Object of the point: {old} → {new}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>Object removed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>Parent: {old} → {new}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>Point {name} added</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>Point {name} removed</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>Points without an object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>Prediction of {model}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>Reference</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>Removed: {name}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>Sounds</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>a removed object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>a removed point</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>a removed segment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>attributes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>box</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>color</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>end</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>frame {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>frames {start} to {end}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>imported metadata</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>label</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>lane</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>name</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>number</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>occluded</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>origin</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>out of view</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>position in time</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>roles</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>start</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>the whole task</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>{name}, roles: {old} → {new}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>{name}: frames added ({n})</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>{name}: frames removed ({n})</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>{name}: frames {a}–{b} → {c}–{d}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>{name}: position or state changed ({n})</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/review/change_texts.py"/><source>“{old}” → “{new}”</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>said</name>
    <message><location filename="../../annotator/ui/forms/fields/answer_texts.py"/><source>Other raters (of {n}): {answers}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/answer_texts.py"/><source>Other raters: all {n} selected the same options</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/answer_texts.py"/><source>Other raters: {answers}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/answer_texts.py"/><source>Predicted by {model} ({percent}%): {answer}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/answer_texts.py"/><source>Predicted by {model}: {answer}</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>sentence</name>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>{word} (not annotated)</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>shared</name>
    <message><location filename="../../annotator/ui/work/shared/hub_exchange.py"/><source>Join shared project</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/shared/hub_exchange.py"/><source>Password of {person}. It is kept in the keyring of this computer.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/shared/hub_exchange.py"/><source>Save your copy of the shared project</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>sharing</name>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>&amp;Administrator login</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>&amp;Message</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>&amp;Person</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>&amp;To</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>An invitation file is written beside the project. A repeated invitation creates a new login and ends the earlier one.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>Everybody</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>Invite</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>Pass&amp;word</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>Send message</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/lead/sharing/page.py"/><source>The message appears on the page My work until the person marks it as read.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>submit</name>
    <message><location filename="../../annotator/ui/work/submit.py"/><source>1 grid frame has not been checked.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/submit.py"/><source>1 proposal is not accepted and is not submitted.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/submit.py"/><source>No object has been drawn.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/submit.py"/><source>No open items.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/submit.py"/><source>Submit</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/submit.py"/><source>Submit this task as it is now?</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/submit.py"/><source>{n} grid frames have not been checked.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/submit.py"/><source>{n} proposals are not accepted and are not submitted.</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>timeline</name>
    <message><location filename="../../annotator/ui/timeline/model/timeline_texts.py"/><source> (resolved)</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/model/timeline_texts.py"/><source>Accepted proposal</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/model/timeline_texts.py"/><source>Ctrl+0 or double-click on the bar above: show whole video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/model/timeline_texts.py"/><source>Drag on the Sounds lane to mark a sound</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/model/timeline_texts.py"/><source>Drag: seek · Shift+drag: mark range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/model/timeline_texts.py"/><source>Draw a box in the video to start a track</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/model/timeline_texts.py"/><source>Frame {frame}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/model/timeline_texts.py"/><source>Frames {first} to {last}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/model/timeline_texts.py"/><source>Imported</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/model/timeline_texts.py"/><source>Keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/model/timeline_texts.py"/><source>Keyframe, accepted proposal</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/model/timeline_texts.py"/><source>Keyframe, imported</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/model/timeline_texts.py"/><source>No video is open</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/model/timeline_texts.py"/><source>Note: {text}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/model/timeline_texts.py"/><source>Objects: {names}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/model/timeline_texts.py"/><source>Out of view from here</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/model/timeline_texts.py"/><source>Placed manually</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/model/timeline_texts.py"/><source>Proposed, confidence {percent}%</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/model/timeline_texts.py"/><source>Sound source is out of view</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/model/timeline_texts.py"/><source>Wheel, + and -: zoom · Double-click: zoom to range</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/model/timeline_texts.py"/><source>occluded</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/model/timeline_texts.py"/><source>out of view</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/model/timeline_texts.py"/><source>unchecked grid frames: {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/model/timeline_texts.py"/><source>{here} of {end}. Tracks: {n}, segments: {m}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/model/timeline_texts.py"/><source>{label} {number}: frames {first} to {last}, keyframes: {n}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/model/timeline_texts.py"/><source>{name}: frames {first} to {last}, annotated: {n}, manual: {m}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/painting/segment_painter.py"/><source>Actions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/painting/segment_painter.py"/><source>Sounds</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/painting/strip_painter.py"/><source>Computing …</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/painting/strip_painter.py"/><source>No audio</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/painting/strip_painter.py"/><source>Spectrogram</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/painting/strip_painter.py"/><source>The audio is silent</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/painting/strip_painter.py"/><source>Waveform</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/painting/strip_painter.py"/><source>computing, {done}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/painting/strip_painter.py"/><source>muted</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/timeline/painting/timeline_picture.py"/><source>Comments</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>tools</name>
    <message><location filename="../../annotator/ui/actions/conditions.py"/><source>Press {key} and click the position of a point</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/conditions.py"/><source>Select an object, press {key} and click one of its parts</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/conditions.py"/><source>This task allows only actions.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/conditions.py"/><source>This task allows only boxes.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/conditions.py"/><source>This task allows only points.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/conditions.py"/><source>This task allows only sounds.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/conditions.py"/><source>This task allows only: {tools}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/conditions.py"/><source>This task does not allow drawing.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/conditions.py"/><source>actions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/conditions.py"/><source>boxes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/conditions.py"/><source>points</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/actions/conditions.py"/><source>sounds</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>transfers</name>
    <message><location filename="../../annotator/ui/commands/transfer_actions.py"/><source>1 box</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/transfer_actions.py"/><source>1 clip</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/transfer_actions.py"/><source>1 frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/transfer_actions.py"/><source>1 object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/transfer_actions.py"/><source>1 point</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/transfer_actions.py"/><source>1 question</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/transfer_actions.py"/><source>1 record was already imported.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/transfer_actions.py"/><source>1 segment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/transfer_actions.py"/><source>1 video</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/transfer_actions.py"/><source>Export</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/transfer_actions.py"/><source>Export annotations</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/transfer_actions.py"/><source>Export images and clips</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/transfer_actions.py"/><source>Exported {path}: {what}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/transfer_actions.py"/><source>Frame numbers verified with OpenCV for {n} of {all} videos.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/transfer_actions.py"/><source>Import</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/transfer_actions.py"/><source>Imported {path}: {what}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/transfer_actions.py"/><source>Nothing was imported because no entry has a video.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/transfer_actions.py"/><source>Some records violate the format; see the list.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/transfer_actions.py"/><source>This object was deleted or is in another video.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/transfer_actions.py"/><source>{n} boxes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/transfer_actions.py"/><source>{n} clips</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/transfer_actions.py"/><source>{n} frames</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/transfer_actions.py"/><source>{n} objects</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/transfer_actions.py"/><source>{n} points</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/transfer_actions.py"/><source>{n} questions</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/transfer_actions.py"/><source>{n} records were already imported.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/transfer_actions.py"/><source>{n} segments</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/commands/transfer_actions.py"/><source>{n} videos</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>value</name>
    <message><location filename="../../annotator/ui/forms/fields/answer_texts.py"/><source>1 object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/answer_texts.py"/><source>frames {a} to {b}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/answer_texts.py"/><source>no</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/answer_texts.py"/><source>yes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/answer_texts.py"/><source>{n} objects</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/fields/answer_texts.py"/><source>{sides} pixels on frame {n}</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>viewing</name>
    <message><location filename="../../annotator/ui/forms/item_strips.py"/><source>one frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/item_strips.py"/><source>up to the cut frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/forms/item_strips.py"/><source>without sound</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>words</name>
    <message><location filename="../../annotator/ui/look/texts.py"/><source> and </source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Accept proposals</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Accept proposed segments</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Add comment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>All objects out of view</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Also changed: {what}.</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Answer</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Attribute missing</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Before first keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Begin with the previous stage</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Change attribute</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Check frame</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Clear answer</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Clear point</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Create demo project</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Create object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Create point</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Create segment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Delete comment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Delete keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Delete keyframes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Delete object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Delete point</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Delete segment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Dismiss proposals</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Duplicate action</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Duplicate object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Duplicate segment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Edit comment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Edit object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Edit point</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Edit segment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Empty box</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Exceeds video length</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>File note</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Fill role</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Held from previous keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Import annotations</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>In view</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Incomplete point track</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Interpolated</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Invalid attribute value</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Keyframe</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Keyframe: out of view</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Label not in label set</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Merge objects</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Merge segments</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Move box</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Name missing</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Never in view</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Not occluded</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Object missing</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Occluded</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Open role</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Out of view</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Parent missing</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Place point</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Rename label</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Reply to comment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Resolve comment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Revert change</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Set point state</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Sound over silent audio</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Split into children</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Split object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Split segment</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Swap objects</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Text too short</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Thin keyframes</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Too few answers</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Too few attention checks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Too few points</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Too few references for gold tasks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Too few test tasks</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Track again</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Unanswered</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Unchecked grid frames</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Unreviewed proposals</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>Very small box</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>at {time}</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>in progress</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>just now</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>submitted</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>the object</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>to do</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>{n} min ago</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/look/texts.py"/><source>{n} s ago</source><translation type="unfinished"></translation></message>
</context>
<context>
    <name>work</name>
    <message><location filename="../../annotator/ui/work/work_texts.py"/><source>lead</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_texts.py"/><source>participant</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_texts.py"/><source>rater</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_texts.py"/><source>reviewer</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_texts.py"/><source>{h} h {m:02d} min</source><translation type="unfinished"></translation></message>
    <message><location filename="../../annotator/ui/work/work_texts.py"/><source>{n} min</source><translation type="unfinished"></translation></message>
</context>
</TS>
