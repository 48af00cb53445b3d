<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" sourcelanguage="en">
<context>
    <name>About</name>
    <message>
        <source>About Pipewright</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt;b&gt;Pipewright %1&lt;/b&gt;&lt;br&gt;%2&lt;br&gt;&lt;br&gt;Plans for training on mixed GPUs.&lt;br&gt;&lt;br&gt;Free software under the GNU General Public License, version 3 or later. Built with Qt and QCustomPlot.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Commands</name>
    <message>
        <source>&amp;About Pipewright</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Accuracy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Add to candidates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Centre</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Change keys...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Close project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Commands...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Compare all planners</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Compare plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Device kinds...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Discard unsaved work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Duplicate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Edit data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Export...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Fewest GPUs for a deadline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Filter plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Filter runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Find...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Fit all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Fit the drawing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Full screen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Import...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Improve from here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Jump to the place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Keep a mark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Leave out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Less tensor parallelism</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Link tool</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Lower rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Mark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;More tensor parallelism</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;New project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Next bar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Next difference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Next plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Previous bar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Previous difference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Previous plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Remove from the table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Restore unsaved work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Revert to the base</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Show the plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Split the stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Take out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Taller rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Try it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Ungroup</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;What it waited for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A drag moves the view.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A drag narrows the view to what was dragged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A drag reads off a time over all rows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A drag selects an area of rows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A&amp;ctual size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add &amp;nodes...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add &amp;switch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add n&amp;ote</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adds the items of the clipboard under new names.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Align &amp;bottom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Align &amp;centres</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Align &amp;left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Align &amp;middles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Align &amp;right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Align &amp;top</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asks for kind and number and places nodes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asks how sure the order of the plans is and what slow, lost and further nodes change.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bar to &amp;area</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Boundary &amp;back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Boundary &amp;forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Boundary back as far as memory allows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Boundary back five</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Boundary back half a block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Boundary forward as far as memory allows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Boundary forward five</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Boundary forward half a block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change re&amp;compute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changes places with the stage before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changes places with the stage behind.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chooses and moves items of the drawing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chooses every node.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chooses everything on the drawing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear &amp;selection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear the &amp;marks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Closes the project and shows the start page.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare with another pro&amp;ject...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copies the chosen items and removes them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copies the chosen items with the links between them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copies the view with the focus as a picture.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy view as &amp;image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cuts between attention and MLP.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>De&amp;lete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device a stage &amp;down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device a stage &amp;up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distribute &amp;across</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distribute &amp;down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag &amp;pans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag &amp;selects</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag &amp;times</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag &amp;zooms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ends the program.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ends the search and keeps what it found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fills the screen with the window.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find &amp;bars...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finds and runs any command by a few letters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fits the rows to the height of the view.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forgets micro-batch and difference.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forgets the dragged area, then the selected bar.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forgets the edited plan and shows what it was made from.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forgets what is chosen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forgets what programs that ended without saving have left.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frames where the difference before arises.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frames where the next difference arises.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frees the items of the chosen groups.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give up the &amp;drag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gives commands other keys and shows what clashes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gives every row less height; low ones are one band each, without what they send.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gives every row more height.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gives the device in focus to the stage before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gives the device in focus to the stage behind.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gives the selected plan a name, which pins it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goes back to what was selected and visible before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goes forward again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Half of its blocks and devices become a stage behind it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holds the chosen items in their place, or frees them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holds the others against the next plan.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holds the others against the plan of this lane.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holds the plans chosen in the table against each other, or an edited one against its base.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holds the search and lets it go on; what was found can be looked at.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holds the shown plan against the best plan that another project file keeps.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How &amp;sure, and what if</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import &amp;folder...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Improving keeps the chosen stage, or the device in focus, as it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Joins two items with a link.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Jumps to the place of the finding before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Jumps to the place of the next finding.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keeps the chosen row on top while the others scroll.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keeps the edited plan; the next edit makes another one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keeps the selected plan in the project file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leaves devices of the chosen stage unused.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leaves the plan as it was.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lists every key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load &amp;measured runs...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loc&amp;k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looks for bars by kind, micro-batch, stage or device.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lowers tp of the chosen stage.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make it the &amp;base</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makes the chosen items be chosen and moved together.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makes the drawing larger.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makes the drawing smaller.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makes the edit again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makes the edit that helps; it can be undone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makes the gaps from left to right equal.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makes the gaps from top to bottom equal.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makes the selected bar&apos;s span the dragged area.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Marks the time and keeps the mark in the project.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Marks the time under the mouse, or of the selected bar.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mer&amp;ge with the next stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mini&amp;map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move the stage &amp;earlier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move the stage la&amp;ter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moves the boundary in focus by a block.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moves the boundary in focus by a block; Tab chooses one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moves the boundary in focus by five blocks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moves the selected bar to the middle, a second time fills the view with it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moves to the deadline that plans have to meet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moves to the filter line of the plan table.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moves to the filter line of the runs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moves to the properties of the chosen item.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Narrows the visible time around the mouse; Shift is faster.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Narrows the visible time of all lanes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None, selective or full for the chosen stage.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One replica less</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One replica more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One stage on the devices of both.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open as a &amp;plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens the selected run&apos;s configuration as a plan.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens what a program that ended without saving has left.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>P&amp;in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>P&amp;in the row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pan &amp;left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pan &amp;right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Places an Ethernet switch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Puts a sheet of paper on the drawing; a double click writes on it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Puts left edges on one line.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Puts lower edges on one line.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Puts right edges on one line.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Puts the chosen items with the links between them on the clipboard.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Puts the middles beside each other.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Puts the middles under each other.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Puts upper edges on one line.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Raises tp of the chosen stage.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Re&amp;name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remo&amp;ve the mark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Removes the chosen items and the links that hang on them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Removes the nearest mark.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Row height that fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows as in the plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs every planner on this problem, in one table.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>S&amp;elect tool</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>S&amp;wap the base</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>S&amp;ystem</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save &amp;as...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save view as &amp;picture...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saves the view with the focus as a PNG, SVG or PDF file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Searches for plans in the background.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select &amp;all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select all lin&amp;ks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select n&amp;one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selects the bar before on the row.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selects the bar behind on the row.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selects the bar that released this one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selects the bar that this one releases.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selects the best plan of the chosen planner.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selects the next better plan of the table.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selects the next slower plan of the table.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selects the stage or link of the finding.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the &amp;best plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows all of every iteration.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows how to get from a cluster to a plan.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows predicted against measured runs, and the way back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the drawing at 100 %.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the whole drawing in a corner while a part is visible.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the whole iteration.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows version and licence.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows what comes later.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows what comes later; Shift is faster.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows what was earlier.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows what was earlier; Shift is faster.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starts an empty drawing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes back order, pins and filter of the rows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes in models, machines, measurements, traces and the plans of trainers, after a look at them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes the lane out of the comparison.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes the last edit back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes the selected run out of the figures, or back in.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes unused devices into the chosen stage.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same for all measurements in a folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The stage behind takes what its devices can hold; without a boundary in focus, the first stage.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The stage in front takes what its devices can hold; without a boundary in focus, the last stage.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tries edits of the selected plan as long as one makes it faster; locked stages and devices stay.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Uses the dark theme.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Uses the light theme.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Uses the theme that the desktop started with.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What w&amp;aits for it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Widens the visible time of all lanes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Widens the visible time; Shift is faster.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write a &amp;note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes a note on the selected plan, which pins it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes the project to another file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes the project to its file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes the selected plan as files for a trainer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your own kinds of device, beside those that ship.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>accuracy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>canvas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>findings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>planners</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stage map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>timeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Try the value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makes the chosen value an edit of the plan; it can be undone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sensitivity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;First steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Help on this view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Manual</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>E&amp;xplain the message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens the manual at the message, finding or refusal that is chosen or shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens the manual where it was left.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Diagnostics...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Judge the plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holds the plan in view against the best that a quick search finds for the trainer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the log and crash reports, and copies them for a bug report.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Maximise view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Topology</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gives the view with the focus the whole page, and back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goes to the details.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goes to the drawing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goes to the memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goes to the model and its training.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goes to the search.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goes to the stage map.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goes to the table of plans.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goes to the timeline.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goes to what stops a search.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>M&amp;emory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>P&amp;roblems</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sta&amp;ge map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>T&amp;imeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Fix it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Go to the place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goes to the field or item that the problem is about.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mends the chosen problem where only one way is open; it can be undone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>problems</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;100 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Lay a run over its plan...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asks one question of the project for many values, as a folder of tasks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draws text and figures at this size from the next start on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Near &amp;ties</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New swee&amp;p...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open its &amp;plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open s&amp;weep...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens the chosen task as a project with its plan.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted or what ra&amp;n</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reads run.json of an exported plan and shows what ran beside what was predicted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>S&amp;weep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows a sweep&apos;s folder, also while it is worked off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the near ties behind the selected plan, or folds them away.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the open sweep, and the way back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows what ran under what was predicted, the prediction alone, or what ran alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sweep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Reset layout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Black on w&amp;hite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>D&amp;raw</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gives the drawing the window, with palette, properties, model and problems.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>L&amp;ook</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens the manual at the word of the glossary under the mouse, else at the view with the focus.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Puts the docks of this page back to their places and sizes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows plans against each other, and the way back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the current plan: stages, timeline, memory, details and the table.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Uses a dark theme of high contrast.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Uses a light theme of high contrast.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>White on blac&amp;k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select all nod&amp;es</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Puts the drawing in rows: nodes by their switch, switches above them, level by level.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tid&amp;y</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finds a device, stage, plan, view or command by a few letters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Tour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the window in five steps, on a sample if no project is open.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Add to the comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chooses the device of the row or bar on the drawing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chooses the stage of the row or bar and goes to its details.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy &amp;all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the &amp;value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Joins the GPUs of the chosen nodes by one NVLink fabric, or by one for each rack.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave &amp;the NVLink domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makes the chosen plan a lane.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Puts all rows or bars on the clipboard, as lines of text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Puts the value of the current cell on the clipboard.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Puts what is chosen on the clipboard, as lines of text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share an NVLin&amp;k domain...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the &amp;device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the &amp;stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes the chosen nodes out of the NVLink domains that they are in.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>plans to compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tables and plots</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pu&amp;blished cases...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows what papers have published, predicts the same and opens their cases as projects.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Begins a link at every chosen item; what is clicked next is the end of all.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Link these &amp;to...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicts your own runs, of training logs or a table, and shows the errors.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rena&amp;me</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the whole drawing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes another name over the chosen node or switch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens a project, or shows what a file of another sort would bring in.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Time against money</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forgets the plans chosen in the table.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moves to the prices of the GPUs, for the cheapest plan within a deadline.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>deadline, target time, smallest cluster, minimum GPUs, how many GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what if, node fails, node failure, lost node, straggler, robust, uncertainty, confidence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selects the fastest plan of the project as it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1&amp;25 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1&amp;50 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1&amp;75 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>2&amp;00 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lea&amp;ve out of plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chooses which columns the table of plans has, as a right click on its head does.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colum&amp;ns...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chooses every link of the rate and lanes of one that is chosen, and between the same: a node and a switch, or two switches.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select links like &amp;these</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chooses every link; with a plan in view Properties names the busiest.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>price, cost, money, cheapest, budget, dollar, euro, rent, per day, per hour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>traffic, bottleneck, busiest, load, congestion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Mark the device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Marks the device in focus; what is marked of a stage moves as one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Searches use none of the chosen nodes, or of those behind a chosen switch; nor a spine, a rail or a link that is chosen. Once more, and they are used again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goes to what the newest message in sight offers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Message &amp;buttons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Next finding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Previous finding</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Compare</name>
    <message>
        <source>keeps no plan of its question: open it and pin one first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DifferingPlans</name>
    <message>
        <source>half the GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fewer GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>less memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another schedule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fewer stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>equal stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>+%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It takes %1 longer than plan %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>surer to fit</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DockTable</name>
    <message>
        <source>Answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Breakdown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Differences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Durations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Findings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Palette</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parallel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pareto</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Planners</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plans to compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted against measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Problems</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Profiles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Properties</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Topology</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sensitivity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan runs</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Errors</name>
    <message>
        <source>&quot;{field}&quot; is no Key=Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{field}&quot; is no count that is read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{field}&quot; is no switch; their ids are {first} to {last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{found} {other} {third}&quot; are no time and bandwidths</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{kind}&quot; is no device kind of the catalogue; state which it is, or no plan will use it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{kind}&quot; is no known device kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{model}&quot; is taken for {kind}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{mode}&quot;; expected none, selective or full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{part}&quot; has no count from 0 to 1024</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{part}&quot; is no link count</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{part}&quot; is no range of numbers, as in 0-7</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{planner}&quot; is not a planner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{rule}&quot;; expected {known}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{schedule}&quot; is not simulated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{schedule}&quot;; expected one of {known}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{schema}&quot;; expected &quot;{expected}&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{text}&quot; comes to more than 1024</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{text}&quot; is no column of a profile; expected some of {columns}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{text}&quot; is no device kind of the catalogue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{text}&quot; is no embedding, block or head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{text}&quot; is no id from 0 to {last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{text}&quot; is no rate in MB/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{text}&quot; is no rate; expected bps, Kbps, Mbps or Gbps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{text}&quot; is no schedule that is simulated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{text}&quot; is no size in bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{text}&quot; is no time; expected ns, us, ms or s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{text}&quot; is not a bandwidth above 0; expected a number with Gbit/s, GB/s, GiB/s or another prefix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{text}&quot; is not a size; expected a number with B, kB, MB, GB, TB, KiB, MiB, GiB or TiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{text}&quot; is not a time; expected a number with ns, us, ms, s, min or h</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{text}&quot; is not understood</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{text}&quot;; expected {expected}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{word}&quot; in &quot;{text}&quot;; expected B, M, N, K, H, C, R, P2x2, P4x4, ... joined by dots, or - for one device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{word}&quot; is no decoder-only transformer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{word}&quot;; expected parts out of {known}, with commas between</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>#wrong is {found}: the run gave wrong results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&apos;{character}&apos; is no layer; E, t, m and L are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--moe-router-topk is {per_token}, which is above --num-experts {count}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--num-attention-heads is {heads}, which does not divide --hidden-size {hidden}; state --kv-channels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--num-query-groups counts with --group-query-attention only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--num-query-groups is {kv_heads}, which does not divide {heads} heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--seq-length is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--{flag} changes what a step takes or a GPU holds; the figures are those without it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--{flag} has no value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--{flag} is &quot;{text}&quot;; expected a whole number from {low} to {high}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--{flag} is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--{flag} is {value}, in {line} it was {other}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--{flag} takes {open}, which the script does not define; write the value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--{other} goes with no --pipeline-model-parallel-layout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>0 links</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>0 to 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>0 to 10</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 to 1024</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A collective&apos;s kernel runs from when this rank is ready: its time includes the wait for the slowest rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A number is expected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A whole number is expected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A {item} has no name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Alpa takes a Python object (ManualStageOption) for hosts that are alike, picks the hosts itself, and is not maintained since 2023</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bandwidth and latency inside {node} must not be negative</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bandwidths are taken as bytes per second, memory as GiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CUDAGlobalMemorySize is &quot;{size}&quot;; expected KiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computing beside a transfer takes {positive} times as long; this is not kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Count is &quot;{stated}&quot;; expected 0 to {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Count is {count}, File names {devices} devices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DeepSpeed works out the boundaries of stages itself (PipelineModule), and no setting states uneven ones; a user would have to subclass it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device kind {kind} has no arithmetic rate above 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device kind {kind} is defined twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device kind {kind} needs a bandwidth to its host above 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device kind {kind} needs a memory size and bandwidth above 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dimension {dimension} is a {topology}: it is drawn as a switch with the same bandwidth for every NPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File comes to more than {limit} devices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forward and backward are measured together; a third is taken for the forward pass</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU {slot} of host {name} is named twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU {slot} of host {name} is not in the cluster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPUs of a stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPUs {a} and {b} of {name} have {there} links one way and {back} the other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>INSERT OR REPLACE INTO found_plan VALUES (?, ?, ?, ?, ?, ?, ?)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Link {link} leads from {end} to itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Link {link} leads to {value}, which does not exist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Link {link} must have {limit} lanes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Links of GPU {a} of {name} has {counts} entries, the node has {number} GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Links of GPU {a} of {name} is {counts} for itself; expected -1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Links takes a line for every GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory is kept beside the layers and prices no plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory is not measured: it is estimated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NVLink counts with {rate} of {kind} (the file&apos;s {stated} are what NCCL gets out of it)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No annotations name layers (&quot;layers.3.forward&quot; and &quot;layers.3.backward&quot;): the operators are kept by name and shape and price no plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No file says which hosts the ranks are on: they follow the nodes in the order of the cluster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No file states the network: all nodes are drawn on one switch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No measurements: every time is an estimate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan is selected.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No trainer runs tensor partitions today; plan {number} is the best that was found without them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Node {node} has GPUs of kind &quot;{value}&quot;, which neither this cluster nor the catalogue knows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Node {node} has no link: its {gpus} GPUs cannot be reached</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Node {node} must have {limit} GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norms, biases and positions are not stated: RMSNorm without biases and rotary positions are assumed of a model with --swiglu</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only the forward pass is timed: the figures are kept beside the layers and price no plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read as {layers} blocks between embedding and head; name the model to check it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows measured at another sequence length serve as a fit only: what they say of {lengths} tokens is carried to this plan&apos;s {seq}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sizes are kept beside the layers, a count of floats as if it were bytes; they price no plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Some measured rows do not state their precision; they are taken for this plan&apos;s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The bandwidth of link {link} must be above 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The cluster has no node with GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file does not say on what it was measured; state the device kind, or no plan will use it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file holds no work.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file states neither precision nor sequence length nor the number of layers: its rows match any, and are those of one block; name the model for all of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file states neither precision nor sequence length: its rows match any</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file states neither precision nor sequence length: its rows match any. Read as {layers} blocks between embedding and head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The fit exceeds the highest measured bandwidth; that one is taken</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The latency of link {link} must not be negative</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The link name {value} is used twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The measured head cannot hold its matrix product; it is estimated instead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The measured layer {layer} cannot hold its matrix product; it is estimated instead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The memory taken on {node} leaves nothing to plan with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The name {value} is used twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run has no last line &quot;Avg bus bandwidth&quot;: its output was cut</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The speed of {node} must be above 0 and at most 10</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The times are those of the file&apos;s own fit at powers of two of MB, not single measurements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The usable share of link {link} must be above 0 and at most 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no way from {node} to {other}: they cannot work on neighbouring stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whole numbers from 1, or auto</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a bracket is not closed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a global batch of {gbs} is no multiple of {size} sequences for each of {replicas} replicas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a group needs two nodes or switches at least</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a kept plan must be an entry of a plan document</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a kept plan needs a name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a key must be plain text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a kind needs a name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a merge key is not read; write the members themselves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a micro-batch of {sequences} sequences over {replicas} replicas; equal whole numbers are possible</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a micro-batch size is {value}; expected a whole number from {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a model is imported alone, one file at a time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a name is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a node of more than 1024 NPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a price is 0 to 1e6 an hour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a record without NodeName</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a row before the line of column names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a run without rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a schedule needs a stage and a micro-batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a schedule needs a stage, a chunk and a micro-batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a single node needs no network; none is drawn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a stage on {count} x {kind} does not fit tp {tp} and cp {cp}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a tensor-parallel group of {tp} would mix {kind} and {other}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a tensor-parallel group of {tp} would not stay inside a node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a time of {time} us; expected one above 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>above 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all {devices} devices are to stay unused; none is left to train on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an MLP of {columns} columns; four times the hidden {hidden} is fixed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an alias is not read; write the value itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an anchor is not read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and all other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and {count} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another plan is called &quot;{plan}&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at least 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>beside cp {cp} and ep {ep}; a partition goes with neither</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>beside layers {first} to {last}; a partition is of whole blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bf16 without sharded data or context parallelism; the trainer then computes in fp32</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>block with fewer layers than a virtual stage has is not read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>blocks cannot be partitioned: attention windows are shorter than the sequence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>blocks cannot be partitioned: the model has experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>blocks cannot be partitioned: the model has latent attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>blocks of a stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>busbw is {measured} times algbw; {collective} over {ranks} ranks makes {factor}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot be divided as {text}: an axis is too short</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot be examined: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot be inflated: out of memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot be opened ({reason})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot be opened: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot be read as JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot be read or written ({reason})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot be read: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot be replaced: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot be written ({reason}); it is as it was before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot be written: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot grow: the disk is full; it is as it was before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot keep its permissions: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cell {column}/{column} is {path}; expected X</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cell {column}/{other} is X, which is for a device itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cell {column}/{other} is {there}, but {other}/{column} in line {line} is {back}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cell {name}/{column} is {found}; known are {known}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>choose nodes (inside of which it was measured) or links, not both</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>choose the nodes or the links that were measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>comes back to node {node} after {after}; a node holds consecutive ranks, which follow the stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>comes back to {type} after {after}; stages of one type must be neighbours, or ranks are handed to the wrong type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>comes to heads of {dim}, which over {heads} of them is above {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>comes to more or less than the {blocks} layers of num_layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>comes to more text than is read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>comes to more than {gpus} GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>comes to more than {gpus} NPUs or {dimensions} dimensions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>comes to more than {limit} names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>comes to more words than are read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>comes to {blocks} layers, pipeline 0 to {total}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>comes to {first} layers, num_layers is {blocks}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>context parallel {cp}; 1 is possible</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>count, micro-batches and their size must be at least 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>counts {gpus} GPUs of {host}, another file {other}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>damaged compressed data at uncompressed offset {offset} (line {line})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>data parallel {own} behind {before}; one must divide the other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>data parallel {own}, the first stage&apos;s is {first}; one is for all stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>data-parallel replicas on devices of {vendors}; expected one vendor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>declares an entity; entities are not read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>device {device} is to stay unused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>device {device} serves two places</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>devices of {vendor} share layers with a pipeline on devices of {other}; expected one vendor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>differs from its like in the first of the identical pipelines in device kind, speed or share</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>does not come to the {blocks} layers of num_layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>does not lie in a &lt;pci&gt; of a display class (0x03)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>does not name its model; state the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>duplicate key &quot;{name}&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>duplicate key {key}; it is first given at {first}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>either every host has a type= or none has</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>embedding and head are sharded alike; one stage of the two has ZeRO-3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ends between attention and MLP of block {block}; whole blocks are possible</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ends with fine layer {layer}; the model ends with {last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected &quot;nodes gpus_per_server nvswitches switches links GPUTYPE&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected &quot;none&quot; or an object with a sequence for every operator of a block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected &quot;src dst 200Gbps 0.0005ms errorrate&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected [first, last], two layer indices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a launch count of at least 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a list for each of {stages} stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a name that ends in .png, .svg or .pdf</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected finite figures of at least 0 for each of {stages} virtual stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected the id of a node or device, or a device kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected the id of a node or switch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected {features} columns: {header}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected {sends} finite sends of at least 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected {stages} counts of at least 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expert parallel {ep}; 1 is possible</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fine layers {first} to {last}; {next} is next in order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>first and last stage share the embedding with tensor parallel {first} and {last}; it must be equal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>first and last stage share the embedding with {first} and {last} replicas; one must divide the other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>forward beside the layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>forward of a layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>full needs --recompute-method block or uniform, and --recompute-num-layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>goes with no --decoder-first or --decoder-last-pipeline-num-layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has a GPU at {bus}, where another file has none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has a GPU {index} of {host}, which another file has not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has a record larger than a whole file may be; is a quote not closed?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has a row that is not [stages, micro-batches, value] with one value for all micro-batches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has an empty stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has more than the {blocks} layers of --num-layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has more than {limit} attributes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has more than {limit} elements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has neither Name nor AutoDetect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has no SwitchName</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has no busid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has no collective whose size is stated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has no column &quot;{column}&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has no column {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has no dimension</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has no fit: at least two sizes must have been timed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has no layer {layers} before layer {layer}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has no line of columns GPU0, GPU1, ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has no nbobjs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has no operator {op}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has no power: give watts in the cluster&apos;s own kind, or leave the kind unused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has no rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has no slots=N; expected 1 to 1024</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has no stage {stage} of pipeline {pipeline}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has several documents; expected one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has the attribute {name} twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has version {version}, this program reads up to {newest}: use a newer Pipewright</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {cells} fields, the header {records}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {columns} columns; at most {limit} are read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {entries} entries for {blocks} blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {fields} cells; expected {columns}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {found} columns; expected a size and a time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {found} columns; the head has {columns}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {found} columns; the head has {head}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {found} fields; expected {columns}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {found}; expected auto, or one or more of none, selective, full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {found}; expected auto, or whole numbers from 1 to {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {gpus} GPUs; {operation} were timed over {ranks} ranks in one node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {held} stages, hetero_configs {tps}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {items} entries; expected forward, backward and update</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {items} entries; num_layers is {expected}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {layers} entries for {stages} stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {layers} layers where others have {expected}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {layers} layers; embedding, a block and head are the least</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {layers} layers; {blocks} blocks, embedding and head make {all}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {layers} pipelines, hetero_configs {sizes}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {meshes} numbers; {types} device types need five each: tp, cp, ep, dp, pp</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {objects} indexes and {values} values; {number} objects make {number} and {other}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {ranks} ranks; its tensor-parallel size is {tp}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {rows} rows; expected one of sizes and one of GB/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {seen} layers that are not numbered from 0 on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {sizes} sizes and {bandwidths} bandwidths</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {values} entries, topology has {dimensions}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds GPUs of several models ({models}); a node has one. Draw it as two nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds a type that is neither global nor local</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds more than {limit} bytes beside &quot;{list}&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds no *.json, *.csv or *.json.gz file that can be imported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds no GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds no GPU that NVML or CUDA has seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds no figures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds no layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds no layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds no links</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds no list &quot;{list}&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds no measurement</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds no model, and the project has none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds no run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds no sections system, model and data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds no transformer block; at least one is needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds no transformer block; before 0.2 at least one is needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds no {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds what this program cannot read; it is left as it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds {value} after {before}, must ascend from 0 to {last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds {value}, must be 0 to {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>how many GPUs has {node}? No file says so; state it, or import the file that does too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>identical pipelines share their devices; their replicas are not changed one by one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>identical pipelines share their devices; their stages are not merged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>identical pipelines share their devices; their stages are not split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>index is &quot;{value}&quot;; expected a number from 0 to 1023</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>inflates to more than {limit} times its size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>invalid UTF-8 at byte offset {offset}; expected UTF-8 text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is &quot;{found}&quot;; this version reads &quot;{known}&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is &quot;{granularity}&quot;; expected full or selective</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is &quot;{kind}&quot;; expected List or NodeList</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is &quot;{text}&quot;; expected one of {names}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is &quot;{type}&quot;; known are {known}. Any other decoder can be entered size by size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is a database of another program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is a file; expected a folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is a fit without a bandwidth above 0 from 1 MB to 1 GB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is a plan without the machines that it runs on: draw or import them, and the plan can be placed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is a second root element; expected one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is about one host and does not say which of {hosts}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is above 0: the run gave wrong results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is above 1 PB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is above 1 PB/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is above 1024</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is an empty database without measurements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is beyond any cluster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is damaged and was left as it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is damaged or no SQLite database and was left as it is ({reason})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is empty; expected a document</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is empty; expected a header and rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is empty; expected a sequence for every operator of a block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is empty; expected what {command} prints</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is false: norms without scale and bias are not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is in use by another program ({seconds} s waited)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is larger than the limit of {limit} bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is larger than {limit} bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is left out: no file says that it has GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is left out: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is missing; expected a list of numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is missing; expected a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is missing; expected a number or a text with a unit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is missing; expected a text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is missing; expected a whole number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is missing; expected a whole number, or null where queries have no latent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is missing; expected an array</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is missing; expected an object</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is neither full nor selective</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is nested deeper than {levels} levels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is no device kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is no event; expected an object</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is no kind of import; known are {known}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is no layout &lt;pp&gt;_&lt;tp&gt;_&lt;dp&gt;, layer type or other memory of a memory profile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is no node and no link of the cluster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is no tensor-parallel size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is no {what} ({low} to {high})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is none of pcie, bridge, mesh, cube-mesh, switch, reducing-switch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is none of runs, collectives, hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is not &quot;{schema}&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is not JSON here (offset {offset}): &quot;{token}&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is not a Pipewright project; expected &quot;{schema}&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is not a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is not a key that is known here, so it is not read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is not a regular file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is not a regular file: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is not combined with {flag}: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is not stated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is not well-formed XML: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is not well-formed YAML: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is of rank {rank}, like {file}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is of {identity}, like {other}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is the row of {name}; expected {expected}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is to be used and to stay unused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is to be used but is no node, device or device kind of this cluster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is true, and experts with biases are not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is true, and latent attention normalises its latents instead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is write-protected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {ffn}, which over {count} experts is above {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {first}, which is above num_hidden_layers {blocks}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {found}; expected a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {found}; expected a number from {low} to {high}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {found}; expected a number of at least 0 or a text with a unit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {found}; expected a text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {found}; expected a text that is not empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {found}; expected a whole number from {low} to {high}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {found}; expected an array</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {found}; expected an object</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {found}; expected true or false</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {free}, more than the {count} that the labels count: they describe one of several GPU models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {head_dim}, which over {heads} heads is above {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {layer} ms; {few} and {many} layers differ by {difference} ms a layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {other} ms; {few} layers leave {rest} ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {part}, which does not divide {what} {whole}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {per_token}, which is above {count_key} {count}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {rank}; world_size is {world_size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {rate}, which is no rate in bytes per second; expected one as in 1.25e10 for 100 Gbit/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {shared}, which of width {ffn} is above {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {together} ms; the layers alone sum to {sum} ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {total}; the layers sum to {sum}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {value} of {experts} experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {value} on {gpus} GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {value}, must be all {heads} heads with latent attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {value}, must be {low} to {high}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {value}, must be {plain} without positions and {rotary} with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {value}, which over {experts} experts is above {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {value}, which over {heads} heads is above {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {world_size}; the plan uses {places} GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has {positions} positions for {tokens} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has {trait}; the trainer&apos;s models have not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its folder cannot be synchronised: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its rows come to other than the {stages} stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keeps no plan of its question: open it and pin one first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keeps no plans of a problem &quot;{beginning}&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keeps plans of several problems that begin with &quot;{beginning}&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>launch count {launch}; {schedule} fixes it to {fixed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>layers 0 to {held} are held; expected 0 to {last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>layers {first} to {last}; expected to start at {next}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>leads to the GPU&apos;s own bus id and is ignored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>leads to {target}, which is no GPU of the file, NVSwitch or CPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>leaves {rest} layers for {others} stages, which they must share evenly</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lies in no folder that names the model; state the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lies in the folder &quot;{folder}&quot;, which names no device kind of the catalogue; state the kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>line end or control character inside a string; expected &quot; or an escape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>links alone cannot be copied; select the nodes and switches at their ends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>links {a} to itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lists no GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>looks like UTF-16 or UTF-32 (byte offset 0); expected UTF-8 text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>malformed number; expected digits as in -12.5e3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measurement {index} ({model} layer {layer} on {kind}) {problem}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measures a transfer between fewer than two GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory, its bandwidth and the FP32 rate must be known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory.total is &quot;{size}&quot;; expected a size as in 81920 MiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mesh {mesh} has a size outside 1 to 1024</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>micro-batches of {own} sequences, the first pipeline&apos;s are of {first}; one size is for all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mixes {kinds} with unequal shares; every replica gets as much</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mixes {kinds}; a stage is of one kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>more than {gpus} GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>must be Ring, Switch or FullyConnected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>must be [[c2, c1, c0], highest bandwidth in bytes a second]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>must be a block, 0 to {last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>must be a layer, 0 to {blocks}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>must be a list of attention types and a count</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>must be a number above 0 and at most {most}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>must be a number from 0 to {most}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>must be a number from {low} to {high}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>must be a number of at least {low}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>must be a text of digits, as in &quot;8&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>must be a text of digits, at least &quot;1&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>must be a time in seconds from 0 to {longest}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>must be a whole number from {low} to {high}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>must be a whole number of at least {low}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>must be a window in tokens, or 0 for global attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>must be fp32, tf32, fp16, bf16 or fp8, or be left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>must be numbers of GPUs, as in 0,1,2,3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>names no column name or memory.total; expected what {command} prints, with its first line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>names no host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>names no model; state the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>names no node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>names {drawn} GPUs, n_gpus is {gpus}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nested deeper than {levels} levels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nested deeper than {levels} levels; expected a flatter document</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no bandwidth of these links gives {time} for {operation} of {bytes} bytes: something else limits it in the cost model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no bandwidth of these nodes gives {time} for {operation} of {bytes} bytes: something else limits it in the cost model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no device is left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no device may be used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no host with GPUs is left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no links join the devices that share its gradients</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no links join the devices that share its gradients with another pipeline&apos;s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no links lead from its devices to the next stage&apos;s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no lower bound is proven: not proven out of reach</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no measurement comes from &quot;{source}&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no measurement of {model} is at hand: every time is an estimate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no micro-batch divides the batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no micro-batch of {sizes} sequences a replica divides the global batch of {gbs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no model is chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no node has NVIDIA GPUs by its labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no part of the model fits any of them: out of reach</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no plan of the space ({space}) takes less than {bound}: not proven out of reach</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no plan of the space ({space}) takes less than {bound}: out of reach</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no plan of the space found over all {gpus} GPUs takes at most {deadline}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no plan of this space can run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no run has a time that can be fitted to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no run has a time that can be predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no such option</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none of the {plans} plans found can run on {target}; the best was refused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none of {plans} plans from {searches} searches can use {required}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none; expected one or more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not a parameter of the plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number of GPUs {own}, the first stage&apos;s is {first}; one is for all stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number out of range; expected a finite 64-bit number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on or off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one E comes first and one L last, behind {blocks} t; {decoder} t were counted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one more node of {class}: {result}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only full recompute covers the first {blocks} blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only plans with one pipeline can be edited</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only plans with one pipeline can be improved by edits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>part {i} of {parts} would hold no layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pipeline {pipeline}: {batches} sequences do not make {chunks} equal micro-batches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>recompute {mode}; possible: {possible}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>recompute {own}, the first stage&apos;s is {first}; one setting is for all stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>recomputes its first {blocks} blocks; one number is for all stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>recomputes selectively and other stages do not; stages may choose between all and nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>recomputes the first {first} of {blocks} blocks over {chunks} virtual stages; a number is counted in each</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>recomputes the first {first} of {blocks} blocks; all or none is possible</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>repeats the bus id {bus_id} of line {line}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>repeats the busid {bus} of line {line}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>repeats the gp_index {id} of line {line}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>repeats the host {name} of line {line}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>repeats the index {index} of line {line}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>repeats the node of {line}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>repeats the node {name} of {line}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>repeats the rank {rank} of line {line}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>repeats the switch {name} of line {line}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>repeats {line}, &quot;{name}&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>replicas take {least} to {most} of a micro-batch; equal shares are possible</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>row_id {row_id} was there before, in line {before}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>says what was measured by its name alone; expected &lt;model&gt;_&lt;size&gt;_mbs&lt;b&gt;_tp&lt;t&gt;_algo&lt;a&gt;.csv</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>says what was measured by its name alone; expected DeviceType.&lt;TYPE&gt;_tp&lt;N&gt;_bs&lt;M&gt;.json</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>says what was measured by its name alone; expected prim_&lt;model&gt;_&lt;size&gt;_&lt;collective&gt;_&lt;n&gt;gpus.csv</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>says what was measured by its name alone; expected profile_&lt;model&gt;_&lt;gpu&gt;_&lt;tp&gt;_&lt;mbs&gt;.json</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>selective takes neither --recompute-method nor --recompute-num-layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sequences of {tokens} tokens; {fixed} are fixed in the trainer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sharding (ZeRO) {levels} in different stages; one level beside ZeRO-3 is possible</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sharding (ZeRO) {levels} in different stages; one setting is for all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sharding (ZeRO) {zero}; {possible} are possible</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sharding is over {value} ranks; expected a whole number from {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>shares of a pipeline add up to {sum}; expected 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>some stages use sequence parallelism and others do not; one flag is for all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stage {stage} has no block to divide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stage {stage} has one device, and each half needs its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stage {stage} has only one block to divide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stage {stage} has too few blocks for {chunks} chunks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stage {stage} has {replicas} replicas, dp is {dp}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stage {stage} holds {held} for one micro-batch; the limit is {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stage {stage} needs at least one replica</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stage {stage} needs rank {rank}, the machines have {devices} GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stage {stage} needs {missing} more {kind}; 1 is unused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stage {stage} needs {missing} more {kind}; none is unused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stage {stage} needs {missing} more {kind}; {unused} are unused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stage {stage} needs {need} GiB of {capacity} GiB on {kind}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stage {stage} waits for the first gradient of stage {next}, which waits for forward {forward} of stage {stage}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stage {stage} waits for the {pass} of micro-batch {microbatch}, chunk {chunk}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stage {stage} would be empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stage {stage} would be left without a device; merge it with a neighbour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stage {stage}: a pass of micro-batch {microbatch}, chunk {chunk}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stage {stage}: the passes of micro-batch {microbatch} are not each once and in order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stage {stage}: {passes} passes; expected {expected}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stage {stage}: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stages on {kinds}; the trainer knows GPUs of one kind and no placement</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stages {stage} and {next}: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>states no --global_bsz_size or no --chunks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>states no parallel layout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>states {what}, as another file does</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped before a plan was found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped before its turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped before all runs were predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped before its end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped before the file was read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped before the fit was done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped before the fits were done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped before this row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped; nothing was stored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>table {table} refers to a missing row of {other}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tensor parallel {own} behind {before}; one must divide the other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tensor parallel {own}, the first stage&apos;s is {first}; one is for all stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tensor parallel {tp} and context parallel {cp}, the first stage&apos;s are {first_tp} and {first_cp}; embedding and head have one of each</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tensor parallelism differs between stages, which needs sequence parallelism on all of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tensor parallelism without sequence parallelism; the trainer always uses both</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>text follows a quoted field; expected a comma or the end of the line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the budget ended before a plan was found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the chosen links join {nodes} nodes with {gpus} GPUs or more; {operation} was timed over {ranks} ranks on {hosts}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the cluster would have {gpus} GPUs; expected at most {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the column &quot;{name}&quot; is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the column &quot;{text}&quot; is there twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the column {column} is given twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the column {name} is given twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the column {name} is there twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the document ends too early, at offset {offset}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the document ends too early; expected {expected}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the ends of a link cannot be changed; remove it and draw another</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the fastest found takes {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file comes to more than {limit} names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file comes to more than {limit} nodes or {gpus} GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the global batch is {value}; expected a whole number from {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the gradient bucket is {value} bytes; expected 0 to {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the key {text} is given twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the launch counts rise along the pipeline, so it cannot progress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the layout has an open bracket, or comes to more than is read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the level of sharding is {value}; expected a whole number from {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the lists wait for each other in a circle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the m stand together in the last stage, in front of L</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the matrix has no NVLink: {kind} talk over PCIe at {rate}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the memory reserve is {value}; expected 0 to {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the micro-batch size {value} is listed twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the micro-batches come to {sequences} sequences, the global batch has {gbs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the name {name} is taken</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the node {node} is already under a switch in line {line}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the nodes do not hold equal numbers of the devices, one node after the other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the plan does not use {node}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the plan needs {used} GPUs, its hosts have {devices}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the position is off the drawing; expected within {limit} px of its origin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the prediction is not a time above 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the project was saved by a newer Pipewright (file version {version}; this one reads up to {newest}); open it there, or update this program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the quote of this field is not closed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the range {part} runs backwards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the root must be &lt;system&gt;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the root must be &lt;topology&gt;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the row has no row_id</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the row {problem}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the schedule is {schedule} with launch counts {launch}; {possible} is what runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the schedule is {schedule}; {possible} is what runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the sequence length is {value}, beyond the {limit} positions that {model} was made for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the sequence length is {value}; expected a whole number from {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the sequence length is {value}; expected at most {limit}, the positions that {model} has learned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the stages take more of {kind} than the run has</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the switch {child} is already under {parent} in line {parent_line}; only trees are read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the switch {id} is named twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the switch {name} has both Nodes and Switches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the switch {name} has neither Nodes nor Switches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the switches contain one another: cycle {names}, lines {lines}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the table lacks the columns {missing}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tag {tag} is not read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the time limit ended before a plan was found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no boundary {boundary}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no constant {section}.{name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no item called &quot;{item}&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no kept plan called &quot;{plan}&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no link {link}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no node or switch called &quot;{item}&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no node {node}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no stage behind stage {stage}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no stage {stage}; the plan has {stages}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no such profile database</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this ( is not closed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this quote is not closed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this string is not closed; expected &quot; before the end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>timed collectives are put onto a drawing, and there is none yet: draw the machines or import them first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tp {tp} does not divide the sequence of {seq}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tp {tp} does not divide the {heads} heads, {kv_heads} key-value heads and ffn {ffn} of the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tp {tp} x pp {pp} x dp {dp} x cp {cp} are not {gpus} GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tp × dp</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>two GPUs of one host have dev {index}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unexpected end of compressed data at uncompressed offset {offset} (line {line})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unexpected {found}; expected {expected}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown device {device}; expected an id such as &quot;n1.g0&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>uses sequence parallelism; the trainer has none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>version is &quot;{found}&quot;; expected 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>version is &quot;{version}&quot;; expected 2.x or 3.x</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>virtual stages on one stage; two stages are the least</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights, gradients and optimiser states need {need} GiB of the {room} GiB on all devices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{a} and {b} are already linked; give the link more lanes instead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{batches} batches and {chunks} chunk counts for {number} pipelines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{blocks} blocks after {first} in stage 0; the trainer divides them evenly itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{child} is no switch of this file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{chosen} nodes or switches are chosen; at least {least} are needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{chunks} chunks; the schedule runs {expected} a stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{chunks} virtual stages a stage; 1 is possible</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{chunks} virtual stages do not divide the {number} layers of a stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{chunks}; {schedule} runs {least}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{chunks}; {schedule} runs {least} or more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{collective} over {ranks} ranks {problem}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{columns} columns, {rows} rows: the row {missing} is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{column} is &quot;{text}&quot;; expected a number from {low} to {high}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{counted} layers do not divide by {pp} stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} after {before}; counts that rise along the pipeline cannot progress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{cp} does not divide half the sequence of {seq}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{decoder} decoder layers must be the {blocks} of --num-layers, between one E and one L</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{devices} GPUs are no multiple of the {one} of one replica</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{devices} devices cannot be divided into replicas of {each}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{devices} devices; expected tp x cp = {expected}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{device} and {other} differ in kind or speed within one tensor-parallel group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{expected} columns expected, {found} found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{factor} times the bandwidth is none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{form}, and of no kind that can be imported ({known}); name the kind if it is one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{found} fields; the header has {columns}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{gbs} is no multiple of mbs {mbs} x dp {dp}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{gpus} GPUs and {blocks} blocks; plans are all tried up to {most} of each</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{gpus} GPUs of {node} share {shared} to the others, against {inside} inside the node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{gpus} GPUs, node {first} has {expected}; the trainer starts as many on every node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{heads} does not divide hidden {hidden}: state head_dim</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{heads} heads of {value} are above {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host} comes to more than {limit} GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{id} and {other} differ; a partition needs equal devices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{item} cannot be linked to itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{item} is locked; unlock it first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{key} is given twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{kind} cannot run {value}; choose another precision or leave that kind unused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{layers} layers a virtual stage do not divide the {each} of a stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{layers} with mode {mode}; expected 0, which is all layers of the stage, or with full recompute the number of blocks that it covers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{links} links expected, {found} found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{microbatches} micro-batches on {chunks} chunks; {label} runs up to {limit} passes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} has no number from 0 to 1023</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is &quot;{found}&quot;; expected a number from {low} to {high}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is &quot;{found}&quot;; expected a whole number from {low} to {high}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is &quot;{text}&quot;; expected {expected}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is &quot;{value}&quot;; expected a number of at least 0, or nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is &quot;{value}&quot;; expected a whole number of at most 1e12, or nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: Gres counts {total} GPUs, CfgTRES {other}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: {message}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{nodes} nodes less {switches} switches leave {gpus} GPUs, which are no whole servers of {per_server}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{nodes} nodes of {gpus} GPUs; expected at least one of each, and at most 1024 GPUs a node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{number} devices; a partition needs a power of two, at most {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{number} values are wrong: the run gave wrong results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{object} is no object of the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{object} to {other} is {rate} MB/s, back {back}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{operation} is no operation that the cost model prices; known are all_reduce, all_gather, reduce_scatter, alltoall, broadcast and sendrecv</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{operation} of {bytes} bytes is predicted {off} % off the fit; no latency and bandwidth of the cost model meets it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{op} is there twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{own} micro-batches, the first pipeline has {first}; one number is for all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{parts} are {sequences} sequences; the global batch is {gbs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{per_node} devices of each node; a partition needs a power of two</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pieces} pieces of the model; the schedule runs {expected}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pipelines} pipelines of different shape; one is possible</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pp} stages of {vpp} chunks for {blocks} layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{precision}; {possible} can be asked for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{reason}: {count} candidates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{replicas} replicas for {pipelines} identical pipelines; expected a multiple</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{reported} of memory are reported, {kind} has {memory}: the latter counts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{schedule} has no launch counts; expected none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{search}: {refusal}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{search}: {says}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{segments} segments must be divisible by {pp} stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{sequences} sequences an iteration; expected the global batch of {gbs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{sequences} sequences of a micro-batch cannot be shared by {replicas} replicas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{share} of the global batch of {gbs} is not {sequences} sequences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{share} of {sequences} sequences is {product}; expected a whole number of at least 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} sequences a micro-batch do not divide the {each} of an iteration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{switches} switches expected, {named} named</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text} has no value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text} is not finite; expected a finite number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text} is out of range; expected a finite number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text} takes numbers from 1, not {open}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{tokens} tokens do not divide by 2 x context parallel {cp}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{tp} does not divide the {heads} heads, {kv_heads} key-value heads and ffn {ffn} of the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{tp} does not divide {devices} devices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} attention heads do not divide by tensor parallel {tp}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} columns of the MLP do not divide by tensor parallel {tp}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} does not divide {heads} heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} key-value heads do not divide by tensor parallel {tp}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} measured rows do not state their precision; they are used for any</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} tokens do not divide by tensor parallel {tp}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{vpp} chunks of {layers} layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{way} copies; only norms and residuals may be done twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{way} cuts {axis} into {parts} parts; expected at most {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{way} divides {devices} devices; the stage has {held} a replica</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{way} has more than one spatial-temporal primitive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{way} has the spatial-temporal primitive, which is for products with weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{way}: no axis of this operator is {axis}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what} is &quot;{found}&quot;; expected a number above 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what} is &quot;{found}&quot;; expected a number from 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{why}; the plan is not placed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{why}; the project&apos;s training settings stay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{word} is not JSON; expected a finite number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{zero}; expected 0 to 3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no plan was found that can run and uses all that is required</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--pipeline-type is {next}; Gpipe and 1F1B are known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--vocab-size {stated} is taken for {tokens} tokens: NullTokenizer adds an end of text before core 0.18</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--{flag} is &quot;{text}&quot;; expected a number from {low} to {high}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Has no kernels: these are times of a CPU, which no plan is priced by. ProfilerActivity.CUDA records a GPU&apos;s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>does not state how its router groups and scales experts: give the trainer --moe-router-num-groups, --moe-router-group-topk and --moe-router-topk-scaling-factor, or the model router_groups, router_groups_per_token and router_scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>does not state the base of its rotary positions, and the trainer takes 10000: give the trainer --rotary-base, or the model rotary_base</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expert parallel {ep} in fp16; before core 0.16 it is possible in bf16 and fp32</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>experts under tensor parallelism need sequence parallelism</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has neither kernels nor operators; profile with ProfilerActivity.CPU and ProfilerActivity.CUDA</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {value} with {chosen} for a token; groups divide {experts} experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its experts are multiplied one after the other, which takes longer than predicted: grouped products need compute capability 8.0, and bf16 before core 0.16</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>runs without flash attention, which needs half precision and compute capability 8.0: attention takes more time and memory than predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tensor parallelism without sequence parallelism; before main the trainer always uses both</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file comes to more than {limit} nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>was changed since it was exported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>was not written by an export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{figure}&quot; is not a figure of this prediction: {list}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{name}&quot; is no case with a cluster of this file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{name}&quot; is no row of {table}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{name}&quot; is none of the tables of measured runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{name}&quot; is not a planner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{name}&quot; is not a schedule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{name}&quot; is not among the cluster&apos;s links</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{name}&quot; is not among the file&apos;s {list}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sparse attention is priced as trained with its index at work, by the tokens that it chooses; a warm-up over all tokens takes longer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and a gate, sinks or shared keys are not known with latent attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>blocks cannot be partitioned: the model has parts of attention or norms that their operators leave out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>differ from the model&apos;s, whose latents they are expanded from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has no place: &quot;where&quot; says in which table or figure it stands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has no rows and no runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {entries} entries for {blocks} layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {found} entries; expected {count}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {found}; expected numbers from 0 to {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>invalid escape in a string; expected one of \&quot; \\ \/ \b \f \n \r \t \uXXXX (surrogates in pairs)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is &quot;{found}&quot;; known are none, heads, width</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is &quot;{type}&quot;, which cannot be planned: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is &quot;{type}&quot;, which is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is &quot;{type}&quot;; known are dense, sparse, moe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is 0, and an index chooses some</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is above 0: inputs of each layer&apos;s own have no price</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is above 0: keys and values of other layers have no price</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is false: this type projects a gate with its queries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is given without indexer_types, which say the same block by block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is neither a number nor the lower and the upper end of a range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is none of forward, backward, weights, sum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is not &quot;per_layer&quot;, the only norm that this type builds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is not &quot;pipewright-published-1&quot;, the form of published figures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is true, and query_key_norm is not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is true: norms over all heads of queries and keys with biases are not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>must be the name of a kind of layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>must hold one whole number from {low} to {high} for all layers: experts that differ from layer to layer have no price</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>names block {value} twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>names no block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>names no size of tensor parallelism (tp)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>needs cluster, model and recipe, which the case has not all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no links join the first stage with the last one, which share the embedding of a tied model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>says not what is predicted: expected one of {kinds}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped before all rows were predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the load of the busiest expert rank is {value}; expected a number from {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} does not divide {heads} value heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{text}&quot; is no end of a search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{text}&quot; is no family of plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A whole number from 0 is expected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{text}&quot; is no format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{text}&quot; is no software stack</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bandwidth and latency of NVLink domain {domain} must not be negative</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NVLink domain {domain} has no nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NVLink domain {domain} joins nodes of {kind}, whose GPUs reach no switch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NVLink domain {domain} joins {one} and {other}; NVLink joins GPUs of one kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NVLink domain {domain} names {value}, which is no node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Node {node} is in the NVLink domains {one} and {other}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The bandwidth of one flow on link {link} must not be negative</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a switch needs a medium, such as Ethernet or InfiniBand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an exception without words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another export writes here just now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected {schema}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has a &quot;+&quot;, which joins names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has characters that host lists and scripts cannot hold; letters, digits, underscores and, but at its beginning, dots and dashes are possible</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has no value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {count} items; at most {limit} are read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {count} more keys that are not known here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds more than {limit} values; expected fewer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is &quot;{text}&quot;; expected a month as in 2021-11</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is a folder; an exported file goes there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is neither forward nor backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is no capability</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is no key of a software stack</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is no name of a kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is no number from {least} to {most}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is no text; expected the name of a node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {value}; at most {limit} are possible</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lengths must grow, and there must be one for each rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no NVLink domain of {kind} is drawn: these GPUs reach no switch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the column &quot;{text}&quot; is not known and is not read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the cost model trains all weights; LoRA trains few</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the machine has not the memory that this takes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the software stack &quot;{text}&quot; is unknown, or named twice; there are {names}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{kind} is there twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{target} can run no plan of this question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{text}&quot; is no group of constants</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected &quot;# near N far N pair N&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected numbers in group and behind generation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no line tells how long a step took, as Megatron-LM, NeMo, torchtitan, DeepSpeed, FlagScale or nanotron print it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped before all draws were done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the log lists no arguments; name it in the column log of a table of runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{rows} rows can be predicted; {runs} are drawn, and two at least have to be left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{trainer} prints a rate; the run has to state {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{device}&quot;; expected cuda or cpu</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{key}&quot; is no key of a recipe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{kind}&quot;; expected {known}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{name}&quot; is the name of another column of the results, too; call it otherwise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{of}&quot; is nothing that an axis can change; expected one of {known}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{option}&quot; is no option that a sweep can have; expected planner, work, seed, without, target or another one of `plan` but for threads and time-limit, which give up that a task repeats exactly</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{text}&quot; is no export format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{text}&quot;; expected none, lost:NODE or slow:NODE:SPEED, with a speed above 0 and up to 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>F, B, W, send, recv, sync or update</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and {other} differ in a point of {kind} of one source and date; remove the wrong one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another axis changes the same, {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>before it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot be listed ({reason})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot be made ({reason})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot be read as a folder ({reason})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot be removed ({reason})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot be written ({reason})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>changes a search, but the plans of another axis are judged and nothing is searched</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>come to more than 2^53 combinations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>come to {count} combinations, more than {limit} tasks; draw a sample of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>come to {count} combinations; draw a sample of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>does not divide the tasks of the sweep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>does not hold the plan that ran, which says what its passes are of; run it again with this version&apos;s runner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ends at {end} s, before it begins at {start} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected 1 to {limit} values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a number of bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected at least one axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected at most {limit} axes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected the number of a GPU in its node, from 0 on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>family &quot;{family}&quot;; {known} are run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gives no layer times: its replicas differ, or it recomputes a part</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gives no layer times: no stage holds whole blocks and nothing else</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has &quot;node&quot; and &quot;nodes&quot;; expected one of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has another result of task {id} than {other}: the searches did not repeat exactly</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has neither &quot;node&quot; nor &quot;nodes&quot;; expected one of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has no chunk {chunk}; they are 0 to {last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has no cluster: give a project, a cluster, or an axis of clusters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has no model: give a project, a model, or an axis of models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has values that the sweep&apos;s axes have not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {count} nodes in NVLink domains; more of them have to be drawn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds something else than the results of this sweep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is &quot;{found}&quot;; expected none, all, best or best-of:AXIS,...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is &quot;{kind}&quot;; expected all or random</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is &quot;{schema}&quot;, this program reads {known}: use a newer Pipewright</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is &quot;{schema}&quot;; expected {known}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is &quot;{schema}&quot;; expected {known}, as `sweep make` writes it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is missing or too long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is null; expected a value, or no such key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is named as no result file is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is no folder of a sweep: it has no sweep.json</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is not what it was when the sweep was made: its content has another hash</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is not what its name says: cut off, or changed since it was published (a line end is enough); fetch it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is of stage {pipeline}.{stage}, replica {replica}, which rank {rank} was not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is rank {tp} of replica {replica} of stage {pipeline}.{stage}, which the plan has not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is step {step} again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is task {found}; expected {number}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is the kind of no node of {cluster}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is there already and no empty folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is too long for a result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {found}; expected {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {kind} of stage {pipeline}.{stage}, replica {replica}, chunk {chunk}, micro-batch {microbatch}, which the plan has not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {rank}; `peak_bytes` has {peaks} ranks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {rank}; expected {expected}, ranks in order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {standing}: its rows stand under names of their own and price no plan of the real {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its router has a bias, groups or a scale; a plain one is run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its windows do not slide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>leave more than {limit} tasks; draw a sample of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>leaves no task: of {count} combinations {skipped} are skipped and {beyond} beyond the limits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>missing: a run is either measured or emulated, and is never taken for the other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>names no axis, so that nothing would be left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>names {axis}, which is no axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>names {device}, which stands in this plan before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no operation of any step; run without --record 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no plan was found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no step {step} is in `steps`</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none of rank {rank}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>plan {index} does not exist, the file holds {count}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rank {rank} has {found} passes {kind} in step {step}; the plan has {expected}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped before the problems were checked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped before the search was done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sums of gradients of {stage} take {ratio} times what is predicted: link, or ranks that wait for each other; the runner hides none of them behind passes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the plan does not fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the project has no model: give one as `model` of the sweep&apos;s base</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>transfers of {stage} take {ratio} times what is predicted: link {link}, or a receiver that comes late; time the link with nccl-tests</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown node {node}; expected one of the cluster&apos;s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>was {device}; the plan has {expected} there: the run is of another plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{device} of {stage} stands still {share} % of a step although its input is there: host; look at what starts its kernels and reads its tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{first} to {last} of {node}, which has GPUs 0 to {most}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{first} to {last}; expected a first GPU that is not behind the last one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is no axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{passes} of {device} take {ratio} times those of the middle rank of {stage}: imbalance; look at its clock, its cooling and what else runs there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{passes} of {stage} on {kind} take {ratio} times what is estimated: kernels; time these layers alone, or calibrate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{passes} of {stage} on {kind} take {ratio} times what is predicted beside the other stages: kernels, as they were acted out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{passes} of {stage} on {kind} take {ratio} times what rests on measured layers: kernels; time these layers again with the run&apos;s software</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{plans} plans; expected the one that ran</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{ranks} ranks; `peak_bytes` has {peaks}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{ranks} ranks; the plan uses {devices} GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{reason}: kept without a write-ahead log, so that readers and writers wait for each other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} is listed twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} is no node and no device kind of {cluster}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} is no value of the axis {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} is the name of another axis, too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} {message}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a signal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot be started ({reason})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>does not hold the plan that ran; choose that plan first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ended with {how} without getting on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>task {task} has no plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the command line ended with exit code {code}: {message}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} s pass between iterations; expected 0 to {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot be read ({reason})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{name}&quot; is the name of another kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HARP uses all devices and has no plan so; one that leaves some out is predicted to take {any} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HARP uses all devices; its best plan so takes {all} s. A plan that leaves some out is predicted to take {any} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HARP&apos;s clustering cuts a block in front of operator {number} of {all} (&quot;{operator}&quot;); plans are cut between attention and MLP, the finest that the plan document has</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No cut leaves {parts} parts of a block within 1.5 times their mean FLOP; plans are cut between attention and MLP</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another plan is called &quot;{name}&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a launch count of at least 1 for each of {stages} stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected finite times of at least 0: one forward and one backward a stage and one send less than there are stages ({stages})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {layers} layers; {blocks} blocks, embedding and head make {expected}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is &quot;{schema}&quot;; expected &quot;{expected}&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is &quot;{schema}&quot;; this version reads &quot;{expected}&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory-aware initialisation: {candidates} candidates before, {kept} after; {noRoom} have a stage without room for one block, the stages of {tooFew} cannot hold all {blocks} blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory-aware initialisation: {candidates} candidates before, {kept} after; {noRoom} have a stage without room for one block, the stages of {tooFew} cannot hold all {blocks} blocks; the share of the work for it ended before all were looked at</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>predicted by this program, for this problem: against what people do by hand ({plans})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>predicted by this program, for this problem: {least} to {most} times as fast as what people do by hand ({plans})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the log cannot be written: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} {kind} stay unused: {loss}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} {kind} stay unused; no plan that uses them as well was found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{distinct} distinct layers of {all} priced, {saved} % saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{schedule} runs {least} chunks a stage, not {chunks}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{schedule} runs {least} or more chunks a stage, not {chunks}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{trainer} cannot run this plan; nothing was written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stage {stage} needs {need} GiB of the {capacity} GiB on {kind} that fit with {chance} %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the chance to fit is {value}; expected a number from {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the files are of several sorts; import those of one sort together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>does not state the base of its rotary positions, and the runner takes that of its family&apos;s first models: give the runner --config, or the model rotary_base</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has no price: give what an hour of it costs, or leave the kind unused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>context parallelism of a model with layers that predict further tokens; core 0.13 is the first that takes it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has blocks that attend locally; the trainer has them from core 0.15 on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has learned positions and layers that predict further tokens; before core 0.17 the trainer has these with rotary positions alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its blocks have windows of several sizes; the trainer has one for all that attend locally</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its tokens see chunks of the sequence; the trainer&apos;s windows slide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>some of its blocks attend locally; the trainer has no pattern of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{layout} blocks; before core 0.13, and before 0.14 of a model with layers that predict further tokens, only the first and the last stage may differ from the others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a pipeline; the trainer has none where the head shares the embedding&apos;s matrix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>context parallelism of DeepSeek; only main has it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expert and tensor parallelism; the trainer then deals experts out over both and slices none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pipeline or context parallelism; the trainer has neither where layers predict further tokens (without prediction_depth it has)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sequences of {tokens} tokens; the trainer&apos;s positions end at {positions}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{family} is written for torchtitan main{more} only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{precision}; the trainer multiplies experts in bf16</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{precision}, for {kinds} cannot run {wanted}; {possible} can be asked for, or these left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>slower than what is asked for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{refusal}. Can be expressed by {targets}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{table}: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another sweep is made here just now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is &quot;{value}&quot;; expected 0, {least} to {most}, or nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is &quot;{model}&quot;, which is built otherwise than the plan&apos;s &quot;{expected}&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {value}; the plan has {expected}: the run is of another problem</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is no text; expected a reason</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no plan of this space can run: where the GPUs suffice, no links join the first stage with the last one, which share an embedding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>was fitted to an emulated run, which says nothing of real GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--moe-latent-size has experts of a width that is not the model&apos;s, which have no price</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--position-embedding-type relative is of encoders and decoders, which cannot be planned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--spec is {spec}, which is not read; the figures are those of the stated sizes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--spec is {spec}: layers other than attention and an MLP cannot be planned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--window-size is &quot;{text}&quot;; expected the tokens to the left and to the right, as in 127,0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--{flag} changes attention, and its sizes are not read; take the model&apos;s config.json</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--{flag} gives every layer sizes of its own, which are not read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--{flag} is &quot;{text}&quot;; expected a number, or a list as in ([0]*3+[1]*{blocks}) that comes to {other} layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--{flag} is a formula that the model&apos;s sizes do not say: prices hardly feel it, and exports, which could not say it either, refuse the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--{flag} is of a model that also reads images or sound; the figures are those of its language model alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--{flag} puts layers other than attention and an MLP into the model, which cannot be planned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rotary positions are scaled ({kind}): no figure depends on it, and a trainer that is not told trains another model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rotary positions are scaled ({kind}, factor {factor}): no figure depends on it, and a trainer that is not told trains another model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The entry point trains a model that also reads images; the figures are those of its language model alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>experts beside shared ones or dense blocks have no biases; --disable-bias-linear is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is of {device}, and the plan has rank {rank} on {kind}: what is left between the two is of the GPUs, not of the prediction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is the number of a submission that is not there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its rotary positions are scaled ({kind}); plain ones are run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>names RWKV, whose layers are neither attention nor an MLP and cannot be planned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scales its rotary positions ({kind}), which the files do not say: give the trainer its flags for that, or it builds another model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{kinds} left out: with them the precision is {precision}, in which {target} does not train; without them it is {instead}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{kinds} left out: with them the precision is {precision}, in which no plan as fast was found for {target}; without them it is {instead}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{program} trains a model that is no decoder of attention and MLPs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an NVLink domain needs two nodes at least</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another schedule: {schedule} in place of {of}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>equal stages: as many blocks on each of {stages}, divided alike</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fewer GPUs: {gpus} in place of {of}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fewer stages: {stages} in place of {of}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>half the GPUs: {gpus} in place of {of}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none of the chosen nodes is in an NVLink domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{ep} does not divide the {experts} experts and the {ranks} devices of all replicas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{name}&quot; is the name of an earlier case too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the case has no cluster, model and recipe of its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{kind}&quot;{? of --device} is no device kind of the catalogue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--vocab-size is missing: the {rows} rows of padded_vocab_size are taken</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--vocab-size is missing: the {tokens} tokens of the named tokenizer are assumed{?; state others with --vocabulary}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 to %1 lanes are allowed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; none of its kind is under {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers that predict further tokens: {layers}, of {parameters} parameters beside the model&apos;s {own}, on the stage of the head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Linear attention of {linear} of {blocks} blocks is priced by its products and bytes; no measured run stands behind it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No file states the latency of cables: {latency} are assumed{?; --latency says otherwise}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file does not name its collective; by its columns it is one of {fitting}. Taken for {taken}{?: --collective says otherwise}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file states neither precision nor sequence length: its rows match any precision, and the model&apos;s longest sequence of {positions}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This plan: {now}, as good as the best that a quick search finds for {trainer} ({other}){bound}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This plan: {now}, {slower} % slower than the {other} of the best that a quick search finds for {trainer}: {plan}{bound}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This plan: {now}; a quick search found no other for {trainer}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This plan: {now}; the best that a quick search finds for {trainer} takes {other}: {plan}{bound}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot run ({why})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has a sample of {bytes} bytes in {seconds} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has results of several versions of the program ({versions}), which may predict other times{?; --any-version takes them together}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {ranks} ranks; expected 1 to {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds a cluster, and so does another file; remove one of them from the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds a model, and so does another file; remove one of them from the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>interleaved 1F1B runs a multiple of its {stages} stages in micro-batches, not {microbatches}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is a table of runs, and is read alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is a training log; training logs are read without other files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is not a Pipewright project: the file does not hold a JSON document</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is opened as a whole, in place of the present project; remove it or all other files from the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no row applies: rows are of layer {found}, the last one of the model, its head, is {wanted}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no row applies: rows are of precision {found}, the plans compute in {wanted}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no row applies: rows are of sequence {found}, the recipe has {wanted}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no row applies: rows are of tensor-parallel size {found}, at most {wanted} of these GPUs are in one node or NVLink domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no row applies: rows are of the device kind {found}, the cluster has {wanted}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no row applies: rows are of the model {found}, the project trains {wanted}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sums of gradients of {stage} take time behind the last pass, where none is predicted: link, or ranks that wait for each other; the runner hides none of them behind passes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the cluster has fewer than {gpus} GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model has no operator &quot;{name}&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the one that was run is no collective that is known; known are {known}{?. --collective names it}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the plan does not use the device &quot;{device}&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>which GPUs are in {nodes}? No file says so{?; state it as --device KIND, {choice}}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>which kind are the GPUs &quot;{model}&quot; of {nodes}?{? State it as --device &quot;{model}=KIND&quot;, {choice}}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{adapters} network adapters, whose speed the file does not state{?: state the host&apos;s way into the network with --bandwidth}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{layers} layers by annotations that name them forward and backward, at micro-batch 1; operators are kept beside them and price no plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{line}; {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{operation} is no collective that is known; known are {known}{?. --collective names it}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{operation} was timed over {ranks} ranks on {device}, and the cluster has nothing like it{?; name its nodes or links with --to}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{operation} was timed over {ranks} ranks, and the cluster has nothing like it{?; name its nodes or links with --to}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{partition}; no trainer known runs tensor partitions (search without them: {--partitions} off)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{planner} has no plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{precision}, because {kinds}, which the plan leaves idle, has no bf16: search again with {--forbid} {forbidden}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{time} an iteration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} s pass for each block and rank; expected 0 to {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{where}: {message}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The name &quot;{value}&quot; holds a blank, comma or slash</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has layers up to {last} and no embedding: which of them is the head is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds rows of {first} and of {other}; which of them measure {model} is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>times {layers} blocks that differ; {model} has {blocks}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows that name {named} count as measured of {model}, as was stated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>context parallel {own}, the first stage&apos;s is {first}; one is for all stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expert parallel {own}, the first stage&apos;s is {first}; one is for all stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has a gate on its shared experts; the trainer has it from core 0.16 on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its rotary base is {own}; that of the trainer&apos;s model of these sizes is {trainers}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no plan that was found takes at most {deadline}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scales its rotary positions by YaRN and does not state by what attention is scaled with it: give the trainer --mscale and --mscale-all-dim as the model&apos;s configuration has them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>surer to fit: a chance of {chance} in place of {of}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the name is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>these kinds have no power: give watts in kinds of the cluster&apos;s own, or leave those kinds unused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>these kinds have no price: give what an hour of each costs, or leave those kinds unused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{kinds} left out: with them the precision is {precision}, and the best plan that was found for {target} leaves them idle; without them it is {instead}, and the plan no slower</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{kinds} not left out: without them the precision is {instead}, but the search for {target} failed: {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>less memory: {share} of what may be used of the fullest GPU in place of {of}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>optimizer steps of {stage} on {kind} take {ratio} times what is predicted of kernels that each read and write memory; look at the memory&apos;s rate, and at the host that starts them one by one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>optimizer steps of {stage} on {kind} take {ratio} times what is predicted, which is one fused kernel that reads and writes each state once; fuse the step, or predict with software that does not fuse it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>optimizer steps of {stage} on {kind}, each of one fused kernel, take {ratio} times what is predicted; look at the memory&apos;s rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a node 10 % slower</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a node lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a node more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a pipeline; outside of its own sizes the trainer has none of experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an MLP of {ffn} columns; the trainer makes {made} of the hidden {hidden}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>before main the export names one of the trainer&apos;s own sizes, and this is none of them: Llama 3 8B, 70B, 405B; DeepSeek 16B, 236B, 671B; Qwen3 0.6B to 32B, 30B-A3B, 235B-A22B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>does not state the base of its rotary positions, and the trainer takes 10000, whatever it is: state rotary_base in the model to have it checked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds no transformer block; outside of the trainer&apos;s own sizes at least one is needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has {trait}; outside of its own sizes the trainer has not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is of none of the trainer&apos;s own sizes (Llama 3 8B, 70B, 405B; DeepSeek 16B, 236B, 671B; Qwen3 0.6B to 32B, 30B-A3B, 235B-A22B; gpt-oss 20b, 120b), and outside of them the export writes only what is built as Llama, Qwen2, Qwen3, Mixtral or Qwen3 with experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its norms&apos; epsilon is {own}; the trainer takes {trainers}, which no flag changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its rotary base is {own}; {fixed} is fixed in the trainer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no plan was found with it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>planned anew</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tensor parallelism without sequence parallelism; outside of its own sizes the trainer always uses both</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the trainer adds a table of {positions} learned positions to the embedding, beside the rotary ones: {parameters} parameters more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{heads} attention heads; the trainer&apos;s models have 32, 40, 52 or 64</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{tokens} tokens of a micro-batch on a rank over context parallelism of {cp}; outside of its own sizes the trainer deals them out in blocks of {block}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} words of the vocabulary do not divide by tensor parallel {tp}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has blocks without experts among others; the trainer builds all blocks alike</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has shared experts; the trainer builds none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has {trait}; the trainer&apos;s Llama has not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has {trait}; the trainer&apos;s Llama has one switch for those of attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is built as the trainer&apos;s GPT; the export writes the trainer&apos;s Llama alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it normalises queries and keys; the trainer builds such norms with arguments that they do not take</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its MLP has no ReLU; the trainer&apos;s GPT has ReLU, and its Llama is another model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its positions are learned; the trainer adds them by sequence and token to a hidden state by token and sequence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its products have biases; the trainer&apos;s GPT has none, and its Llama is another model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its rotary positions are scaled ({kind}); before 0.2 the trainer scales none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its rotary positions are scaled ({kind}); before main the trainer does so in sequences of more than {positions} tokens alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its rotary positions are scaled ({kind}); outside of the trainer&apos;s own sizes the export writes linear scaling, Llama 3&apos;s and YaRN, with factor and YaRN&apos;s length before it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its rotary positions are scaled ({kind}); the trainer interpolates by whole factors alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its rotary positions are scaled ({kind}); the trainer&apos;s model of these sizes cannot be told so</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pipelines take batches of different size, and the trainer averages their gradients as if they were of one: sequences of the smaller ones weigh more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scales its rotary positions ({kind}), which the files do not say: start from a recipe of a model that does, or the trainer builds another model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sharding (ZeRO) {zero} under tensor parallel {tp}; the trainer shards over tensor-parallel GPUs too, whose parameters are not the same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tensor parallel {own}, for the same blocks {first} in the first pipeline; the trainer sums gradients of other columns then</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tensor parallel {tp} in an only pipeline; the trainer averages gradients over tensor-parallel GPUs then, whose parameters are not the same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the files say how it is divided, and neither its sizes nor its precision: give the trainer both (runtime.model, and runtime.parallel.mixed_precision {precision})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the trainer&apos;s blocks hand on the MLP&apos;s result without adding to it what went in: it trains another model than Llama, in the same time and memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>uses {kind}; flash attention, which the trainer always takes, has no kernels for GPUs without bf16</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{medium}&quot; is no network that is known; state one of {known}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No file states the network&apos;s medium: {medium} is assumed, of whose rate {share} % are usable{?; --medium says otherwise}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a step is {rounds} rounds, each of them drained before the next; taken as one: memory comes out too high, and waits of several stages too low</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all micro-batches at once in one pipeline and one after the other in another; the trainer runs as many rounds in all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expert parallel {ep} does not divide {replicas} replicas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has a {what} of {printed}, and {file} lists {argued}: they are not of one run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has the steps of a run, and {file} the arguments of one that ran out of memory: load {file} alone for that one, and this log with the arguments of its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lists the arguments of a run of which another log has the rest, and there are several such logs: load the two of one run alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>names {first} and {second} at once: state how many of each, as in 32x{first} + 16x{second}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nodes with a whole pipeline each; the trainer&apos;s order of ranks for that takes {replicas} data-parallel ranks of experts, as of the rest, not {experts}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sharding (ZeRO) {zero} and {rounds} micro-batches one after the other; the trainer loses the gradients of all but the last</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the log lists no arguments: rank 0 prints them; load its log together with this one, or name this one in the column log of a table of runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the log lists the arguments and no step: the last rank prints those; load its log together with this one, or name that one in the column log of a table of runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{own} micro-batches one after the other, {first} in the first pipeline; the trainer runs as many rounds in all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expert parallel {ep} does not divide {experts} experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expert parallel {ep}; the trainer deals experts out over all {ranks} ranks that share a sequence first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{schedule} divides the backward pass, which the masks of its attention have no gradient for; 0.2 can</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ZeRO-2 is not run beside another pipeline; ZeRO-1 is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected 2 or 3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ZeRO-2 is run with whole backward passes of one chunk; ZeRO-1 with any</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPUs of {vendors} alone; it runs on those of {possible}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This plan: {now}, faster than the best that a quick search finds for {trainer} ({other}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is not the plan&apos;s: the run is of another plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {value}, where such models have {usual}: no figure depends on it, and exports refuse the model rather than train another one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no stage on devices of one kind alone has measured passes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on GPUs of {vendors}, whose communication libraries form no group together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on GPUs of {vendors}; it runs on those of {possible}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>optimizer {optimizer}; its files say {possible}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sharding (ZeRO) {zero} with optimizer {optimizer}; {possible} are possible</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{kind}: PyTorch, the trainer and what it compiles have to be their ROCm builds, which nothing here was tried with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{ran} pipelines; the plan has {asked}: the run is of another plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its folder cannot be made: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has no column GRES, so that it says of no GPU; sinfo -o &quot;%N %t %m %G&quot; prints one, and scontrol show node says the same and more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has {words} words under {columns} columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No host can be called &quot;{node}&quot;, and no launch file can name it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} nodes have names that no launch file can hold, as &quot;{node}&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The medium &quot;{value}&quot; of switch {switch} is not known and counts as Ethernet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is older than what Transformer Engine and PyTorch for CUDA 13 are built for; where they are missing, {how}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is write-protected, and was left as it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field} stands behind another of its kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {what} of this program and needs no import: {use}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the columns are divided by {division}; expected commas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{precision}&quot;; expected fp32, tf32, fp16, bf16 or fp8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is 0; a step takes time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is pass {kind} of micro-batch {microbatch} in step {step} again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {found}; the plan is in {expected}: their times are not of one kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>those of step {step} span {span} s; it took {seconds} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{device} was of kind {kind}; the plan has a {expected} there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{passes} of {device} take {ratio} times those of the middle rank of {stage}: imbalance; look at what else ran on the machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{passes} of {stage}, planned on {kind}, take {ratio} times what is predicted beside the other stages: kernels, of other rates or widths than the plan&apos;s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot be held against {cluster}: the price or the power of one of its kinds is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is listed and not to be found: the folder changes faster than it can be read, or this is a link that leads nowhere</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is none from 0 to {high} bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>names no axis behind &quot;{found}&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is no longer there; its results are followed again once it is back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is left out with {whole}, which stands among what is left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the field {field} is none of slots=, max_slots= and type=</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>comes to more than {limit} lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>figures of node {id}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>figures of {kind}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>figures of {n} nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has no GUID of the device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is a port of no device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is both a host and a switch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is neither a device nor a port of one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is no port with what it is connected to, as [1] &quot;S-1b&quot;[2]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is of a network of {medium}, another one of {other}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>latency or usable share of link {id}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>latency or usable share of {n} links</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>link {link}: {a} and {b}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the kind of node {id}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the kind of {n} nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>twice as fast</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{a} and {b} GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{a} and {b} links</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{a} and {b} nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{a} and {b} switches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{device} is described in line {line} already</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{device} is no device of this file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} links: {a} and {b}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds no node, GPU, switch or link that could be left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is to stay unused but is no node, device, device kind, switch or link of this cluster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured times</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>other figures of cluster or model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>other settings of the training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the calibration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no node, device, device kind, switch or link called &quot;{name}&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{factor} times the latency is none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected the id of a node, device, switch or link, or a device kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is a project, of which the drawing alone is read: what it leaves out is used here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the ends of link {id}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the ends of {n} links</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>port {port} of {device} leads to another port than line {line} says</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>adapters without a host&apos;s name: {n}; each is taken for a host of its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>aggregation nodes inside of switches, which are no hosts: {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>routers that are left out, with what lies behind them: {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{text}&quot; does not say how long the run is; expected a number of tokens or iterations, as in &quot;30 days for 15T tokens&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{text}&quot; is a time of a run, whose length is to stand behind it: &quot;30 days for 15T tokens&quot; or &quot;12 h for 5000 iterations&quot;; an iteration&apos;s is in s, min or h</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{text}&quot;: a deadline is above 0, as in 2.5 or 800ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter a deadline, as in 2.5 s or 30 days for 15T tokens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{text}&quot; is not a time of a run; expected a number with s, min, h, days or weeks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left and Right move a boundary; Tab leads to the GPU that is to move</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} more nodes of {class}: {result}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>LinkSpeed is not read (lines that state it: {count}): it has no unit; links have the rate that is usual, or the one that is stated as they are imported</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Fixes</name>
    <message>
        <source>Choose a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import measurements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Link %1 to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set to 0 GiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave %1 out of the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave out nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave it to the search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>List it once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave micro-batch, recompute and ZeRO to the search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename %1 nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the medium</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change the bandwidth</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Glossary</name>
    <message>
        <source>Block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bubble</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Candidates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Closed form</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Global batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Launch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lower bound</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Micro-batches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Planner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recompute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sharding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Standing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ties</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Work limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cp</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dp</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tp</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nearest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rests on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1F1B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Activation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Activations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All-reduce</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bound</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Boundaries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Boundary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bubbles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Candidate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Certificate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chunk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chunks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context parallel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context-parallel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data parallel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data-parallel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Eager 1F1B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edited</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Estimated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Estimates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expert parallel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expert-parallel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FSDP</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fine cuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fine layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fine layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fitted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPipe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gradient accumulation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>H-1F1B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In flight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Incumbent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Interleaved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Interpolated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Launch count</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Launch counts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Launch rule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Micro-batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NVLink</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PCIe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pipeline parallel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pipeline-parallel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Planners</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replica</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replicas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Schedules</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seq. parallel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sequence parallel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sequence-parallel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Space</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage candidate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage candidates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensor parallel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensor-parallel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tie</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Virtual stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Virtual stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight gradient</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight gradients</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ZB-1p</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ZB-2p</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ZB-H1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ZB-V</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ZeRO</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zero bubble</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zero-bubble</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pp</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Above bound</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ImportKinds</name>
    <message>
        <source>Pipewright project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pipewright cluster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pipewright model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pipewright plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ASTRA-sim network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Aceso collectives and transfers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Aceso operator profile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Collectives of a torch.profiler trace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FlagScale configuration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Galvatron computation and memory profile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Galvatron hardware profile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HexiScale launch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HexiScale stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hostfile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hugging Face model configuration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kubernetes nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measurements handed on by Pipewright</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Megatron-LM arguments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Metis cluster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Metis layer profile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NCCL topology</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sailor layer profile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sailor link fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sailor sizes of layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SimAI topology</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slurm topology, gres or nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Timed collectives handed on by Pipewright</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hwloc topology</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nccl-tests output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nvidia-smi --query-gpu</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nvidia-smi topo -m</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>torch.profiler trace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers of a run of the runner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>InfiniBand subnet as ibnetdiscover lists it</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ImportOffer</name>
    <message>
        <source>Import %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apply timed collectives</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add %1 measured rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import %1 files</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>KeptPlans</name>
    <message>
        <source>Name %1 “%2”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note on %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unpin %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pin %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove %1 plans</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LinkEndDrag</name>
    <message>
        <source>Drag the end to another node or switch; Esc leaves it at %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The link leads from %1 to %2 then</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ManualLink</name>
    <message>
        <source>Explain %1 (Shift+F1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Explain</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MemoryRoom</name>
    <message>
        <source>%1 of %2 GiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 GiB, at most %3 to fit with a chance of %4 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <source>Arrange</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Theme</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PlanOrder</name>
    <message>
        <source>stale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The plan is stale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The plan is not of this project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The plan answers an earlier state of the project. Run the search again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The plan came with %1 and answers another question than this project asks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The plan answers an earlier state of the project; since then %1 changed. Run the search again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the cluster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what is left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the measurements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the calibration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the global batch (%1, now %2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the sequence length (%1, now %2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>other settings of the training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>more</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PlanSentence</name>
    <message>
        <source>%1 hold all %2 blocks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage %1 decides the time: it computes for %2 of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, since the memory of %1 is full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 hold %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 hold %2 of %3 blocks, %4%5.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All stages take equally long: each computes for %1 of the time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stages %1 decide the time: each computes for %2 of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, since the same work takes %1 times as long on %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It fits with a chance of %1 only: its fullest GPU is predicted to be %2 full.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By the lower bound no plan is predicted to take less.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By the lower bound no plan is predicted to take less than %1; this one takes %2 more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No trainer runs it as it is; Export says why, and what helps.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PlanText</name>
    <message>
        <source>Plan %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 sequence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 sequences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no case near</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tie</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>slower</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle share of the stage that idles most, from its first start to its last end: %1. The plan document counts it against useful time: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 cases</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 micro-batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 micro-batches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 sources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 pipelines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 case</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted %1 slower than plan %2, which is faster with a probability of %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>faster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 that it is faster than plan %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 that plan %2 is faster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted %1 faster than plan %2, with a probability of %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: a tie, since that is less than %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PlansView</name>
    <message>
        <source>As many as have &amp;room</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Preview</name>
    <message>
        <source>Property</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Between GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lanes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Latency</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Links</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Network cards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bus</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PCIe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To switches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NUMA</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Path</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bandwidth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cables</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left out because</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tp</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mbs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forward, ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backward, ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory, MiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measurements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Collective</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Buffers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Alpha (latency)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Beta, bus</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Beta, algorithm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest residual</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fitted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dp</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cp</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recompute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPUs a stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Micro-batches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 x %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 excluded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 hosts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 NUMA node with GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 NUMA nodes with GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 switch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 switches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 cable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 cables</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Becomes the drawing of the project.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trainer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pp</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hidden size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sequences a step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>%1 to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>, %n pipelines</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>PNG picture (*.png)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save picture as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SVG drawing (*.svg)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PDF page (*.pdf)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was not saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of %1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>training setting, in Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>to draw, of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>to draw</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>to draw, a node of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what is searched for, in Search</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Questions</name>
    <message>
        <source>%1 is not combined with %2: %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fastest plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fewest GPUs within %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time against %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How sure, and what if</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Judge plan %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>each trainer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all planners</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>how sure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cheapest plan within %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan of least energy within %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan with most memory to spare within %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 at %2 an hour</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Rejections</name>
    <message>
        <source>batch not divisible</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot hold a block a stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot hold all blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ends of a tied model apart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no way between stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>out of memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>over time or memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>replicas of two vendors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>schedule not allowed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>slower than the best</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stages that differ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tensor parallelism across nodes</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SearchOptions</name>
    <message>
        <source>Aceso-style</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Alpa-style</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>AutoHAAP-style</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cores allowed; 0 = all. Lower bounds use them; results never depend on it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data, pipeline and tensor parallelism chosen from what the devices can do; after HyperPipe (CSCWD 2025), reconstructed from its abstract</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every plan of the Space; for a handful of GPUs and layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every uniform grid of equal stages over all GPUs and over each set of device kinds, 1F1B and interleaved; common practice, reconstructed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exhaustive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HARP</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HyperPipe-style</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Megatron-LM grid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Metis-like</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of planners that draw lots; written into the plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Partitions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pipewright</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Planner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Power-of-two groups over every order of device kinds, layers and batch shares balanced by time; after Metis (ATC 2024), which is published, its details reconstructed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seconds of wall clock; 0 = none. Gives up repeatability</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage candidates to evaluate; 0 = the planner&apos;s default. Repeats exactly</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensor partitions of four or eight GPUs beside tensor parallelism, on or off. No trainer runs them today</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The best plan that it can find, and a proof of how good it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The published inter-operator programme of Alpa (arXiv 2201.12023) on this program&apos;s costs. It knows one kind of device: on mixed clusters each class of nodes by itself, and all GPUs as if each were the slowest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which planner searches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Work limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ground truth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>own design</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reconstruction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All schedules</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Interleaved and zero-bubble schedules too, on or off; pipewright and exhaustive search them, and the bound is a looser one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mixed stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pipelines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fine cuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Aceso&apos;s search with starts that memory suffices for and cached costs; after AutoHAAP (HPCA 2026), reconstructed from its abstract, without its estimator, which brought nothing here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The published dynamic programme of HARP (EuroSys 2026) over a chain of sub-clusters, with H-1F1B&apos;s launch counts. This project&apos;s: gradient sums, step and tied ends in its objective, every order of sub-clusters, two layers a block in place of three, a further run that may leave devices out, and simulation, which decides</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The published multi-hop search of Aceso (EuroSys 2024) from balanced starts, primitives in fixed order; haap without its two parts, stages whole</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>published, extended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pipelines of different shape that share the batch, at most so many; pipewright and exhaustive search them, and the bound is a looser one. 1 = a single one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stages on two kinds of device, which share each micro-batch by speed, on or off; pipewright and exhaustive search them, and the bound is a looser one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stages may begin or end between the attention and the MLP of a block, on or off; harp and pipewright search it. The runner and Aceso take such plans, and the bound is a looser one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many plans to return, beside those that are set apart from the first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parts to leave out of the planner, with commas between: init, cache, fast-networks, fine-layers, h1f1b, partition, bound. A planner that has no such part ignores it</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ShownPlan</name>
    <message numerus="yes">
        <source>%1, and %n more</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Sequences of a micro-batch are counted over all replicas of a stage together. One replica has %1, which is Megatron-LM&apos;s --micro-batch-size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sequences of a micro-batch are counted over all replicas of a stage together. One replica has %1 to %2, by stage; Megatron-LM&apos;s --micro-batch-size is one for all.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 a replica</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 to %2 a replica</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tp %1 dp %2 cp %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tp %1 dp %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ep %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ZeRO %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>optimiser states</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>optimiser states, gradients</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>optimiser states, gradients, weights</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Sweep</name>
    <message>
        <source>Iteration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens a second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gap to the bound</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bubble</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPUs used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Price an hour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Price a million tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Power</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Energy a token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Money</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Energy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goodput</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>begun</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>plan</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>main</name>
    <message>
        <source>Plans for training on mixed GPUs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run a search on the opened project.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save pictures of the window in both themes and of every view into DIR, then quit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With --screenshots: also long names, stale plans, a broken cluster and an empty window.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quit after the first paint.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no question to search yet.
</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With --screenshots: only these pictures, as in window-light,plans-dark.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Print every command and its keys as a page of the manual, then quit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Project or sweep to open, or files to import.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw</name>
    <message>
        <source>Family</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hidden size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key-value heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Head size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Feed-forward size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Positions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Head tied to the embedding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>yes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stated precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not stated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 per token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parameters of a token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 parameters, %2 blocks, hidden %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Becomes the project&apos;s model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not named</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Becomes the drawing of the project.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens the project in place of the present one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model file becomes the project&apos;s model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The cluster file becomes the drawing of the project.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::AblationList</name>
    <message>
        <source>Planners without a part</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Also run, to see what a part brings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left out: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Searched only with Partitions on in the search options</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::AccuracyBar</name>
    <message>
        <source>Layout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accuracy   predicted against measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Planning   from a cluster to a plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>runs of quality A and B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sources, each by itself</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::AccuracyStudy</name>
    <message>
        <source>%1 was not loaded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The runs were not predicted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::AnswerHistory</name>
    <message>
        <source>Answer to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Questions so far, newest first</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::AnswerSections</name>
    <message>
        <source>Answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open plan %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A double-click or Enter opens plan %1; the menu exports it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Export plan %1...</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::AnswersView</name>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Iteration within</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deadline of an iteration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fewest GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The fewest GPUs, by whole nodes, whose plan ends an iteration in that time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What to trade time against</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trade time for it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plans that no other beats both in time and in this</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How sure, and what if</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How sure the order of the plans is, which measurements could change it, and what a slow, lost or further node changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop answering</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No deadline.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 searches made</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No questions asked yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A cluster and a model are needed first; Problems lists what is missing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stale.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These answers are about an earlier state of the project.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fastest plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The fastest plan that keeps to what stands above</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Judge this plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not asked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the plan in view stands beside the best that a quick search finds for the trainer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Judges the plan in view: none is that answers the project as it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each question takes several searches.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What a plan is to be good at beside its time: memory to spare on the fullest GPU, or the price or the energy of a token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time against</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of the plans that end an iteration within the deadline the best one in this, on any of the GPUs, and what is faster but worse</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cheapest within the deadline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Least energy within the deadline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most memory free within the deadline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer is there: %1. %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 search made</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask for the fastest plan of a trainer, for the fewest GPUs or the cheapest plan within a deadline, for what time costs in memory, or what surer knowledge and other nodes would change. The project&apos;s file keeps the answers about it as it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for the answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1. Below: the answer to an earlier question.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 in %2 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter a deadline, as in 2.5 s or 30 days for 15T tokens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of an iteration, as in 2.5 s, or of a run and its length, as in 30 days for 15T tokens or 12 h for 5000 iterations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>s, or 30 days for 15T tokens</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::AreaSection</name>
    <message>
        <source>Bars of the area</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of stage %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of stages %2 to %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 idle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lengths in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bars</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Max</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::AxisRows</name>
    <message>
        <source>Nodes of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>0, 2, 4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cluster files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a.json, b.json</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Global batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>256, 512, 1024</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sequence length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>2048, 4096</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Micro-batch size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1, 2, 4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recompute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none, full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Planner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pipewright, megatron</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trainer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>megatron, hexiscale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>search, plans.json:1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What happens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none, lost:n1, slow:n3:0.9</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draws of what may be off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What axis %1 changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values of axis %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave the axis out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values of the axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON files (*.json *.json.gz)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::BarText</name>
    <message>
        <source>All-reduce</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recompute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Transfer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight gradient</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cool-down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waits for the link from stage %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waits for %1 of stage %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of chunk %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 on stage %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>transfer to stage %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, micro-batch %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, stage %2, %3 s for %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, ∴ estimated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>idle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>idle, %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 bars, %2 busy, %3 idle</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::BreakdownBars</name>
    <message>
        <source>Breakdown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waits for a transfer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waits for link %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> or </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waits for a slower stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cool-down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle time of stage %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>% of step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle in total</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2 s, %3</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::BreakdownView</name>
    <message>
        <source>No plan selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a plan to see where its time goes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stale</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::CalibrationPanel</name>
    <message>
        <source>%1: arithmetic %2, memory %3, links within a node %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: links between nodes %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calibration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calibration runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>figures of the catalogue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fitted to all of these runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>runs that the fit has not seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apply to the cluster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changes the figures of the project&apos;s device kinds and links; can be undone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>median; 90 % within %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 runs of %2, %3-fold, median error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 runs of %2, too few to hold any out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fitting to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fits a factor of arithmetic, memory and links for each kind of device. Large tables take minutes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fits device and link figures to these runs, and holds runs out to see what the fit is worth.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calibrate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel the calibration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calibrate to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calibrate the cluster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Applied to the cluster of %1; undo takes it back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The cluster of %1 has none of these device kinds and links: nothing changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory %1 GiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not of the cluster, and not taken over: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open factors...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open fitted factors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Factors (*.json);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reads factors that the command line&apos;s calibrate has written</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::Candidates</name>
    <message>
        <source>kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>edited</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::ClusterForm</name>
    <message>
        <source>Nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPUs a node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes of a second kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Second kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One switch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Racks, leaf and spine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes a rack</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw a cluster of these sizes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 GPUs: %2 %3, %4 %5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 GPUs: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A switch for each kind, joined</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPUs in each</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as many</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPUs a node of the second kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rails, a switch for each port</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Spine switches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Oversubscribed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> : 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the nodes of a full rack send at most, to what leads up from its leaf switch</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::CompareLanes</name>
    <message>
        <source>Compared plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lane %1: plan %2%3, iteration %4, bubble %5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (base)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>base</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>iteration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bubble</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fullest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Infeasible: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan %1, stage %2 on %3, %4 busy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>plan %1 %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Difference %1 of %2, %3: %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::CompareSet</name>
    <message>
        <source>plan %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::CompareView</name>
    <message>
        <source>Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overview of the base</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare the two fastest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Align</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Align the starts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steady</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Align where the last stage begins</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Align the ends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One second is as long in every lane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of iteration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every iteration is as long as the base&apos;s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Swap base  X</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a plan to the comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One plan is not enough</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pick two to four plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A comparison needs two plans: run a search or edit one by hand.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 plans on one time axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Different questions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 differences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Difference %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose them in the table (Ctrl and click) and press Ctrl+Enter, or drop a row here. Plans of another drawing or fabric come in by Plan &gt; Compare with another project.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same work under other conditions, those of the base first: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The figures are not for the same work, that of the base first: %1.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::ConvergencePlot</name>
    <message>
        <source>best %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bound %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convergence, no plan yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convergence: best %1 after %2 stage candidates, %3 improvements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage candidates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Iteration, s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The best iteration time and the lower bound over the stage candidates that were tried</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::CoverageModel</name>
    <message>
        <source>block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>embedding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tp %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mbs %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::DemandForm</name>
    <message>
        <source>What the plans have to be</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only plans that this trainer can run, so that Export writes its files; the search says what that costs. Answers are for it too.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Must use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes, devices or device kinds that every plan uses, with commas between</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>any devices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest tensor-parallel size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest context-parallel size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest expert-parallel size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>auto</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a whole number from 1 to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave out nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave out %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes, devices, device kinds, switches or links that stay unused, with commas between; part of the project</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::DetailsPanel</name>
    <message>
        <source>measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>interpolated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fitted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>∴ estimated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a plan, a stage or a bar to read its figures.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Infeasible</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Iteration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 % to plan %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>80 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rests on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>distance %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nearest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Differs in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Beside best</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of the computing time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Closed form</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a filter, not ranked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lower bound</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gap %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bubble</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Micro-batches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>launch %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fill, drain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steady</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exposed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tp %1, dp %2, pp %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sync, step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>(fine layers %1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Devices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tp %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, cp %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, dp %1, %2 sequence each</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, dp %1, %2 sequences each</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parallel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Partition</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PrimePar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>∴ predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Launch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>micro-batches in flight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>incl. recompute %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 to stage %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of the iteration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bar %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waited for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Then</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MFU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fullest GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>busiest stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Found by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>above the peak of %1: the layers were measured in another</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The figures of the whole plan (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How long the stage that computes most waits for its first micro-batch, and how long other stages go on behind its last pass. Both are 0 where that is the first stage, which starts at once and ends last.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What that stage computes, and its waits for other stages between its first and its last pass.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Communication that nothing hides. tp: inside the passes of that stage. dp: gradients that are still summed over replicas behind the last pass of all stages. pp: its waits for transfers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sync: the gradient of a tied embedding, which first and last stage exchange behind the sums over replicas; 0 where the head has a matrix of its own. Step: the optimiser&apos;s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in the worst stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 GiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>to fit with %1 % chance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chance to fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From measured peaks of memory beside their predictions. A search for a greater chance, Chance to fit in the Model view, finds plans that need less.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2, properties</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>that all GPUs have room</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of its GPUs&apos; dense peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, ep %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sharded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>(ZeRO %1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each rank of the replicas holds a share of these, not all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>micro-batch in flight</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::DeviceListModel</name>
    <message>
        <source>%1, capacity unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2, %3 to fit</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::DiagnosticsDialog</name>
    <message>
        <source>Diagnostics</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Log or crash reports</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Crash reports</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Crash reports %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which events</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Errors and warnings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What happened</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find in the log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find in place and event</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Follow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keeps the latest event in view.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chosen event</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chosen crash report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No crash reports</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the program leaves when it breaks down is listed here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy for a bug report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Puts versions, settings, crash reports and the end of the log on the clipboard, without your name, your machine&apos;s and the path of your home folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied, %1 lines.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The log is not written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The log is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the program does and what goes wrong is written here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No such event</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose more levels, or find another text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 events, %3</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::DifferenceModel</name>
    <message>
        <source>Iteration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2: %3 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean of a GPU, s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Δ %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, base</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2 s</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::DifferencesView</name>
    <message>
        <source>Differences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plans&apos; properties</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>largest first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What differs between plans stands here, largest first.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::DockTitle</name>
    <message>
        <source>Float %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Maximise %1 (F12)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::Document</name>
    <message>
        <source>Untitled</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::DomainDialog</name>
    <message>
        <source>of the nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU to GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Latency</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share an NVLink domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPUs a domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;GPUs a domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU &amp;to GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Latency</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 domain of %1 nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 domains, %2 nodes together</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::DomainFields</name>
    <message>
        <source>of the nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bandwidth of the NVLink domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Latency of the NVLink domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NVLink domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of the NVLink domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Domain name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Domain rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Domain latency</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change bandwidth of NVLink domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change latency of NVLink domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New domain…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Join NVLink domain %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave the NVLink domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::DurationBars</name>
    <message>
        <source>Histogram of durations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no bars</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 bars of %2 to %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 bars, %3 to %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No bars of this kind here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at most %1 bars a column</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::DurationsView</name>
    <message>
        <source>Durations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind of bar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Groups</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by kind of device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Groups of bars</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bars</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Max</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a plan to see how long its bars take.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in the area</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in what the timeline shows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of the iteration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, ∴ estimated</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::EditedBar</name>
    <message>
        <source>Add to candidates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Improve</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Revert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>iteration %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bubble %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 → %2 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>peak of %1 %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 GiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Infeasible: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Against plan %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 cannot run it</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::ErrorsView</name>
    <message>
        <source>Errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of iteration time, predicted / measured − 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of peak memory, predicted / measured − 1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::ExportDialog</name>
    <message>
        <source>Export %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Release that the files are for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What formats can express</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Possible with %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Formats that can: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>refused, %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>can express it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>
(the file goes on: %1 characters)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is in the folder already</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, exists</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Replace %1, which is in the folder already</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Replace %1 and %2 more, which are in the folder already</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Replace %1, which are in the folder already</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waits for the tick to replace files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder has changed. Nothing was written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Formats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files that will be written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text of the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Co&amp;py file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the text of the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What each format can express</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, refused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refused. This format cannot express %1. Nothing will be written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why the format refuses the plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reason</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder to write to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search for a plan that %1 can run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 file written, and %1, which says of which plan it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 files written, and %2, which says of which plan they are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the best plan here that it takes: %1 of time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Best plan here that it takes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>takes none of the plans here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes models that have nothing beside these:
%1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes all models but those that have one of these:
%1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 can run no plan of this question, so there is none to search for: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name the nodes as hosts can be called</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the best plan that it takes instead: %1 % slower</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the best plan that it takes instead: %1 % faster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 cannot be made: %2.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::FieldModel</name>
    <message>
        <source>Plan</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::FileActions</name>
    <message>
        <source>Pipewright projects (*.pwx)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the changes to %1?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was not opened.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save project as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was not saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Clear list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search fields that are not saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save what plans have to be, as Search asks it, in %1?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plans or answers that are not saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the plans and answers that were found for %1?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is gone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is no longer where it was. Save it there again?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file has changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was changed by another window or program since it was opened here. Saving over it drops what was changed there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save &amp;over it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save &amp;as...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Projects, plans and other files to import (*.pwx *.json *.txt *.conf *.xml *.csv *.yml *.yaml *.sh *.topo *.gz)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::FindBar</name>
    <message>
        <source>Find bars</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>B 12, F 3 stage 2, transfer n1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>F, B, W, R or the name of a kind; a number is the micro-batch; “stage 2”; part of a device&apos;s name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous hit (Shift+Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next hit (Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No bar matches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 bars</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::FindingsModel</name>
    <message>
        <source>–</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fits, %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; nothing that was tried helps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; %2: %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try it: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing that was tried helps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What helps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Iteration then</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search for plans that fit with a chance of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1. What helps: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stages %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::FindingsView</name>
    <message>
        <source>Findings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a plan to see what it loses and what would help.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>looking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The plan cannot be judged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No findings for this plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looked for, with %1 edits tried: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not checked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none, %1 edits tried</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 edits tried</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Findings, %1 item</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Findings, %1 items</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>edited</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change chance to fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No findings.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::FitPlot</name>
    <message>
        <source>largest residual %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 over %2 ranks, %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>out of place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bytes of the buffer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>alpha %1, beta %2 on the bus (%3 of the buffer), %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no line: one size, or longer messages took no longer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 on %2, tp %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sequences of a micro-batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>alpha %1, %2 a sequence, %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no line: one micro-batch is measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fit of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>seconds</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::GlossaryMarks</name>
    <message>
        <source>F1 opens the glossary.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::HeatPlot</name>
    <message>
        <source>Heat map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no task</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no result yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; of %1 tasks %2 have a plan, %3 none, %4 failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tasks with a plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (logarithmic)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::HeatView</name>
    <message>
        <source>Value of a cell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of all tasks of a cell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Level axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Upright axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A picture for each value of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heat map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>best</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>median</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for each</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tasks with a plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 more values are not shown</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::HistogramPlot</name>
    <message>
        <source>Histogram of errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No errors to show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2 runs, %3 within 10 %, %4 within 25 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 runs within 10 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All sources, weighed equally</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Within 10 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 to %2: %3 of %4, %5 of all sources</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::ImportDialog</name>
    <message>
        <source>Choose files to import</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No file is chosen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Storing…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped; nothing was imported.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refused; nothing is imported.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One thing is asked that no file says.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 things are asked that no file says.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It cannot be put into this project.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is changed until you press Import.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refused.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One mistake; nothing is imported.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 mistakes; nothing is imported.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>imported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop files here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose files…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not stored.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What it says</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind of the files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind by content</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Add files…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What no file says</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Import</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>refused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It replaces the present one; undo brings that back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fit %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep the &amp;machines (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep the measured &amp;layers (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep the timed lin&amp;ks (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep the m&amp;odel (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The files are of several sorts; nothing is imported.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep one sort…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes the selected files out of the list (Del)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select the files that shall go</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run gives no layer times; it can be held against its plan instead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lay it over its plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models, machines, measured layers and links, traces, training logs, and the plans of trainers. Files that complete one another, as those of Slurm, come together.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove files</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::ImportNotes</name>
    <message>
        <source>Messages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>asked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::ImportQuestions</name>
    <message>
        <source>Ranks that took part</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The timed collective</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use them in this project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A project carries the rows that its figures rest on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the device kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” is, so that plans use it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>They measure %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file names another model than the project&apos;s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPUs of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A host&apos;s way into the network, one lane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lanes of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Between switches, if not as much as lies below</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Latency of a cable, if not %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes and links that were measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>inside, %1 GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apply to links, or inside nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ethernet is assumed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the network is, which decides how much of its rate is usable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>such as 200 Gbit/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as lies below</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many GPUs has a host for which no file counts them?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>wanted, such as 8</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::Improver</name>
    <message>
        <source>%1: %2 plans tried, %3 edits taken, %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped before an edit of %1 helped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>improved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 does not fit, and none of %2 edits tried brings it into the memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None of %1 edits of %2 helps, within what Search allows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 edits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is %2 % faster than %3, by %4 of %5 tried.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 fits into the memory and takes %2, by %3 of %4 tried. The plan it was made from (%5) does not fit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None of the %1 edits of %2 that %3 can run helps, within what Search allows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 does not fit, and none of the %2 edits tried that %3 can run brings it into the memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, which Search asks for, cannot run it, as it could not run %2.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::KeyFigures</name>
    <message>
        <source>Current plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The plan that all views show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an iteration, stale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an iteration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>80 % of runs like it: %1; nearest %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bubble</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>above bound</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run waits for 1 problem:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run waits for %1 problems:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>infeasible</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::KeySheet</name>
    <message>
        <source>Keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys of all commands</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::KindDialog</name>
    <message>
        <source>&amp;Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device kinds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Add</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Duplicate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>My kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Short name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vendor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory bandwidth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FP32</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TF32</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FP16</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>BF16</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FP8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU to GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only PCIe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fabric inside a node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PCIe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Power, W</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Price of an hour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where the figures are from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, your own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ships with the program; duplicate it to change its figures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, ships with the program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ships with the program: duplicate it to change its figures.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change kind %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::LayerModel</name>
    <message>
        <source>Forward pass of one sequence, 10^9 operations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moved by the forward pass of one sequence, MiB in 2-byte elements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Activation handed to the next layer for one sequence, MiB in 2-byte elements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GFLOP</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moved, MiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Output, MiB</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::Legend</name>
    <message>
        <source>Legend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>∴ estimated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::LinkTraffic</name>
    <message>
        <source>activations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tensor parallelism</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>context parallelism</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gradients</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>carries nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>busy %1 of the iteration to %2, with %3 (%4), %5 back</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::LogModel</name>
    <message>
        <source>error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>warning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>info</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>debug</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Level</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Event</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::LoggedMachineDialog</name>
    <message>
        <source>%1 does not say on which machines it was printed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 do not say on which machines they were printed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 logs do not say on which machines they were printed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where did it run?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What joins the nodes, in words; empty: what is usual for the GPU. Of one node it says nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPUs in a node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predict it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the GPU, or name it as its maker does.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run is predicted on %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 × %2, %3 in a node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Network: &quot;%1&quot; names no network that is known, and no rate.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One kind, or several with how many of each, in the order of the ranks: 32xH100-SXM-80GB + 16xA100-SXM4-80GB; 4x8x are four nodes of eight.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This project&apos;s cluster</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::MainWindow</name>
    <message>
        <source>Commands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type a command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find device, stage, plan, view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your device kinds were not read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Planning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refused.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unsaved work is not kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pipewright</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, modified</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1[*] - Pipewright</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Improving.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is selected was not noted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run  F5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find  Ctrl+K</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import the measurements of a folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Undo %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Redo %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare with the plans of a project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pipewright projects (*.pwx)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>imported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load measured runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was not opened.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; assumed: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was not compared.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a new project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unsaved work was found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, last edited %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, last edited %2, and %3 more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The unsaved work was not restored.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is open elsewhere.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file holds no work.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not improved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A project keeps the fastest %1 plans of the table as far as they take no more than %2 MiB; %3 slower ones are not in the file. Pinned plans always are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text and figures are drawn at %1 % from the next start on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lay a run over its plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs (*.json);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a sweep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Improve.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pipewright broke down last time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, and %2 more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Added.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is pinned in Plans and stays in the project; the next edit makes another plan.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its memory is predicted to fit with a chance of %1 %. Chance to fit, a setting in the Model view of Draw, asks for plans that are surer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training logs and tables of runs (*.log *.txt *.out *.csv);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undone: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redone: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is open.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The search is paused.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The search goes on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 does not fit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run waits for 1 problem: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run waits for %1 problems, the first of which is: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes back: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makes again: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shown &amp;views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find device, stage, plan, view, setting, model, what to draw, command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is edited by %1. Saving here asks first where the file has changed by then.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name nodes as hosts are called</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading %1...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search without %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only what %1 held has moved. A search without it may find a faster plan.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 Only what %2 held has moved: a search without it may find one that fits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave out %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is restored as it was last edited; it is not saved yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The picture is in the clipboard.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run with is %1 now: searches find what it can run, until another one is chosen in Search.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No message in sight offers anything.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::ManualBrowser</name>
    <message>
        <source>Page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt;h1&gt;No such page&lt;/h1&gt;&lt;p&gt;The manual has no page %1.&lt;/p&gt;</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::ManualWindow</name>
    <message>
        <source>Manual - Pipewright</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back (Alt+Left)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forward (Alt+Right)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First page (Alt+Home)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search all pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Contents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 - Manual - Pipewright</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 section found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 sections found</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::MeasurementModel</name>
    <message>
        <source>whole layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>any</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tp</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mbs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forward, ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backward, ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory, MiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Date</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::MeasurementTable</name>
    <message>
        <source>Filter measurements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measurements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 more in the store</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::MemoryColumn</name>
    <message>
        <source>Memory peaks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory of %1, peak %2, ∴ estimated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 % full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>∴ estimated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2, ∴ estimated</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::MemoryPlot</name>
    <message>
        <source>Memory over time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>capacity %1 GiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>capacity unknown: set the memory of this kind of device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>needs %1 of %2 GiB, %3 in flight, ∴ estimated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>peak %1 GiB, %2 in flight, ∴ estimated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at most %1 of %2 GiB, to fit with a chance of %3 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory of %1, %2, %3</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::MemoryView</name>
    <message>
        <source>Reserve</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Communication</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Transient</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Activations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a plan to see its memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 GiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device whose memory is shown, what it needs and with which chance that fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stale, fits with a chance of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fits with a chance of %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::MessageBar</name>
    <message>
        <source>Dismiss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Explain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> Button: %1.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::Minimap</name>
    <message>
        <source>Minimap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows %1 % of the drawing</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::ModelPanel</name>
    <message>
        <source>%1 blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hidden %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 heads in %2 groups</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>feed-forward %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>vocabulary %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 positions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 experts of %2, %3 per token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 shared of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 dense blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>latent attention %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>head tied to the embedding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import configuration…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import configuration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refused.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Some keys are unknown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, and %1 more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; active &amp;nbsp; </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt;span style=&quot;font-size:15px;font-weight:600&quot;&gt;%1&lt;/span&gt; parameters &amp;nbsp; %4&lt;b&gt;%2&lt;/b&gt; layers &amp;nbsp; &lt;b&gt;%3&lt;/b&gt; TFLOP forward a sequence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter sizes…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter the model size by size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Any decoder, or the model at hand with other sizes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take one from the list, import the configuration file of your own, or enter it size by size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The samples are missing beside the program. Import the configuration file of your own, or enter it size by size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No models installed</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::NameEditor</name>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::NewSweepDialog</name>
    <message>
        <source>Keep the plan of every task (some 10 to 100 KB each)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New sweep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which of these offers?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many of which kind, under a budget?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which plan stays good?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Axes of my own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Add an axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write and open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Price an hour, at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Power at most, kW</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens of the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Days at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Budget of the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder of the sweep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New or empty; Slurm&apos;s nodes have to see it under this name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The project was not kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> Beyond the limits: %1 combinations.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> Without a plan for certain: %1, which stay as cells that say so.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sweep was not written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add an axis: without one there is nothing to compare.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Power of the facility over its GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU hours between failures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no failures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seconds to write a checkpoint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seconds to start again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; is no number.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: that is of a whole run; say how many tokens it has.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: that counts where GPUs fail; say after how many GPU hours one does.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as in 2e11</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without it every figure is that of one iteration.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: give it one value at least, with commas between several.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only plans that this trainer can run; an axis Trainer stands above it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Run with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the time limit, since tasks repeat exactly</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Must use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the largest sizes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> As in Search: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> Left to Search: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tasks: %1, chunks: %2, some %3 of one core by the number of GPUs.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::NodeDialog</name>
    <message>
        <source>Add nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;GPUs a node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;How many</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPUs a node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 GPUs with %2 each</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add racks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Racks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Racks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Nodes a rack</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes a rack</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Linked to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Linked to</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::NoteEditor</name>
    <message>
        <source>Text of the note</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::OptionForm</name>
    <message>
        <source>off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none, s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>auto</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage candidates to evaluate. Automatic: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Options for experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Limits of work, cores, wider axes, and what a planner leaves out</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::OverviewStrip</name>
    <message>
        <source>Overview</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::PalettePanel</name>
    <message>
        <source>Palette</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Things to draw</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find a kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Switch, %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A switch that joins nodes; draw links to it with L</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drawing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A sheet of paper; a double click writes on it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes and templates of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click one, then the canvas, or drag it there. Hold Shift to be asked how many.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPUs, latest process first</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::ParallelPlot</name>
    <message>
        <source>Parallel plot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 plans over %2 axes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: logarithmic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear the brush</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; %2 stale</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::ParallelView</name>
    <message>
        <source>drag along an axis to brush</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::ParetoPlot</name>
    <message>
        <source>Pareto plot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 over %2: %3 plans, %4 brushed, %5 on the front</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2, %3, %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; infeasible: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; %2 stale</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::ParetoView</name>
    <message>
        <source>Upright axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Level axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Logarithmic axes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Include dominated plans</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::PeaksView</name>
    <message>
        <source>Peak memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plans on the same cluster show their memory here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>∴ GiB, bars in the order of the lanes; activations stand on top of what stays</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: unused</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::PerspectiveBar</name>
    <message>
        <source>Perspective</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::PlanBrush</name>
    <message>
        <source>Iteration, s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens/s, k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bubble, %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak memory, %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Micro-batches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured, %</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::PlanDelegate</name>
    <message>
        <source>Infeasible: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New name of the plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note on the plan</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::PlanList</name>
    <message>
        <source>Plans to compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plans yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plans appear here as the search finds them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>drag one onto the lanes, or press Enter</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::PlanRuns</name>
    <message>
        <source>emulated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured on CPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, with tiny widths</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on CPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ran</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ran a plan of another model or recipe than the project&apos;s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ran a plan of another cluster than the project&apos;s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is a training log of %1, no run.json of the runner: Load runs, under Accuracy (F9), takes it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is a table of measured runs, no run.json of the runner: Load runs, under Accuracy (F9), takes it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is no run.json of the runner, but of the kind %1: File &gt; Import takes it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is another file of Pipewright&apos;s own, no run.json of the runner: File &gt; Import takes it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, and is no run.json, which the runner of an exported plan writes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run was not laid over a plan.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is a training log of %1, no run.json of the runner, and lists no arguments: Load runs, under Accuracy (F9), takes it together with the log of rank 0, which does</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::PlanRunsView</name>
    <message>
        <source>Plan runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Residuals by stage and operation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slower than predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lay a run over its plan...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of another question.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open its plan beside</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compared with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forgets the run; its file stays.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calibrate and search again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No run of this plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export a plan for the runner, run it, and drop its run.json on the window: what ran stands beside what was predicted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no other run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Corrects the figures of devices and links by this run, as an edit that can be undone, and searches for the best plan on them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No pass, transfer, sum of gradients or optimizer step was slower than predicted by 5 % of its own time and 0.5 % of the step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This plan has not run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run %1 stands with plan %2, as it was predicted when it was loaded. Choose that plan to see it, or lay a run of this plan over it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calibrate all the same</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::PlanTableModel</name>
    <message>
        <source>80 % of runs like it: %1; nearest %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, which differs in %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>∴ estimated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Infeasible: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>∴ rests on estimates, %1 of its computing time is measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, infeasible: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no reason given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pinned plans are kept in the project file (Space)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Simulated time of one optimiser step; the bar spans the plans known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where 80 % of measured runs like the plan would fall, from the published runs nearest to it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle share of the stage that idles most, from its first start to its last end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The fullest GPU and what it holds at its peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers as a strip, then GPUs of each stage; a bar where the kind changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forwards of each stage before its first backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pareto rank by time, GPUs and peak memory: 1 where no plan is better in one and as good in all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Yours: F2 or a double click writes; a note pins its plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the busy time that rests on measured profiles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Iteration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Beside best</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bubble</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stages, layers and devices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Launch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Origin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 +%2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No trainer runs it as it is: Run with in Search looks for plans that one can</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its number for life, in the order in which plans became known. A double click or Shift+F2 gives it a name, which keeps it in the project file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trainers that can run the plan as it is; Export writes their files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle share of the time of all GPUs of the plan over the whole iteration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How likely the fullest GPU has room, from measured peaks of runs: 50 % and more where the plan is predicted to fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chance to fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ties</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the runner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What sets the plan apart from the fastest one, and how much longer it takes: of every kind the fastest plan, up to a quarter slower</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Near ties that stand folded behind the plan: within 0.1 %, of the same stages, schedule and trainers, with no less memory. A click or T unfolds them. ≠: the plan differs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Differs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Origin: %1. %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Beside the best plan: slower, or faster where it came with another file, how probable that is, and a tie where that is less than 80 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, pinned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, not pinned</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::PlansView</name>
    <message>
        <source>Plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export the selected plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 shown, brushed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Searching</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plans yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The first plan appears here as soon as one fits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The problem is complete.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The problem is complete: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A cluster and a model are needed first; Problems lists what is missing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run  F5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>0 of %1 shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan lies in the brushed range of the plots.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan matches “%1”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear brush</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stale.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These plans answer an earlier state of the project.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of these plans answer an earlier state of the project.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 kept plan waits for the problems to be solved; Problems lists them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 kept plans wait for the problems to be solved; Problems lists them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, and run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Words, or figures: iteration&lt;15.5 tokens&gt;30 bubble&lt;6 idle&lt;10 memory&lt;90 fit&gt;90 stages=4 measured&gt;50 top10%. Shares and memory are in %.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is pinned.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is no longer pinned.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is removed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 shown, 1 near tie folded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 shown, %3 near ties folded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Best plans of the last search: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Best plans of the last search: %1. Plans that it met besides and that differ from the fastest: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes the pin off the selected plan.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unp&amp;in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 plans are removed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 of these plans answers an earlier state of the project.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 of these plans came with %1 and answers another question.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of these plans came with %2 and answer another question.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not of this project.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 kept plan is of other settings, and is shown again once cluster, model and settings are as they were for it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 kept plans are of other settings, and are shown again once cluster, model and settings are as they were for them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plans of these settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Earlier plans.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan matches “%1”. Shares and memory are in %, tokens in thousands.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::PriceRow</name>
    <message>
        <source>Prices of an hour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Price of an hour of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Price of an hour of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Price %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::ProblemsModel</name>
    <message>
        <source>Cluster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Profiles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training, %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>warning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Problem</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>warnings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model, %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: F or a click does it, Enter goes to the place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::ProblemsPanel</name>
    <message>
        <source>Problems</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Problems or messages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Messages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No problems</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing stops or weakens a search.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Problems, none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Problems, %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Problems %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Messages %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No messages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An edit that is refused is told here, with the time and the reason.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::ProfilesPanel</name>
    <message>
        <source>measured %1, interpolated %2, estimated %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>interpolated %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>∴ estimated %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Profiles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All costs are estimates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import layer times that were measured on your GPUs; what they do not cover stays marked ∴.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reads measured layer times</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes the rows from your store into the project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes the rows out of the project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deletes the rows from your store</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes the rows of the source to a file, JSON or CSV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Coverage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Store not read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a model to see what its layers&apos; times rest on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw the cluster to see which of its GPUs are measured.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is measured yet: every time is an estimate.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 layer times measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not deleted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measurements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a cell of the coverage, or a measured row.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The %1 on %2 is not measured at tp %3: its times are estimates ∴.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The project rests on no measurement. Choose a source to see its rows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No row of this source is left.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of plan %2&apos;s computing time rests on measured numbers, the rest on estimates ∴.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export measurements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measurements (*.json);;Tables (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not exported.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exported.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The store lies on %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is kept without a write-ahead log: readers and writers wait for each other.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::ProjectLock</name>
    <message>
        <source>process %1 on %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::PropertyList</name>
    <message>
        <source>Properties</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::PropertyPanel</name>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Properties</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose nodes, a switch or links on the canvas.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU to GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of the kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Latency</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory taken</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Medium</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change medium</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bandwidth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lanes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Efficiency</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Switch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>switches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>links</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>items</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 does not use this node.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: stage %2. %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A double click on a note writes on it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes and switches have no properties in common. Choose items of one sort to edit them together.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 switch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 switches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 links</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 notes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 needs %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: these links carry nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, the busiest links:
%2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is stale: what links carry by it is not shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; all %1 lanes: %2 each way</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training usually gets %1 of a line rate here: fitted to published runs, where a test of one cable shows more. A link may have a share of its own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cables</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::PublishedDialog</name>
    <message>
        <source>%1 %2</source>
        <comment>number and kind of GPUs</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 GPUs (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1. It has no cluster, model and training of its own and cannot be opened as a project.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1. %2, model %3, %4 sequences of %5 tokens a step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Published cases</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not computed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The published cases were not read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Papers and their cases</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paper and case</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Figures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many of the rows have a published figure.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Published and predicted figures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was assumed, and why figures differ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Com&amp;pute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicts the rows of the chosen case, or of all cases of the chosen paper.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ends the prediction. Rows that are predicted stay.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open as project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add &amp;file...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reads published figures of your own, a file in the form of those that ship.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>name and title of a paper</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was not read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add published figures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Published figures (*.json);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was not opened.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicting: %1 of %2 rows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 rows, none predicted yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelled: %1 of %2 rows are predicted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 rows are predicted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Published in %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Published in %1. Not public: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens cluster, model and training as a new project, with the authors&apos; plans as far as they are published. The search asks the case&apos;s planner.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The case has no cluster, model and training of its own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a case.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>case and quantity</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Assumed:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why they differ, or why nothing is predicted:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Published: the authors&apos; figure, never this program&apos;s. ∴ Predicted: this program&apos;s, from estimates. Same: within %1 %, and of a gain at least half.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::PublishedTableModel</name>
    <message>
        <source>no figure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not computed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>yes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Assumed: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Case</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The cluster, model and training that the row is about.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quantity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the figure is of.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Published</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The authors&apos; figure, never this program&apos;s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>∴ Predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This program&apos;s figure, from estimates. None rests on what was published.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Standing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether the authors have measured the figure or state it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where in the source the published figure stands.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether the two are within %1 % of the published one, and of a gain at least half is predicted.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::QuestionLimits</name>
    <message>
        <source>All planners</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>And how sure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the answers are to keep to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask all planners</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each planner with its own budget, in one table, instead of the one that Search names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask also how sure the answer is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With the plans also how sure their order is, what to measure, and what a slow, lost or further node changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plans for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>that use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trainer that is to run the plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes, devices or kinds that every plan uses</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes, devices or device kinds that every plan is to use, with commas between them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>any devices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only plans that this trainer can run, or the best plan for each; the answer says what that costs. The trainer is that of Run with in Search.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>each trainer</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::QuickOpen</name>
    <message>
        <source>Hits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is called that</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::RecentCard</name>
    <message>
        <source>file not found</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::Refusals</name>
    <message>
        <source>Run waits for 1 problem</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run waits for %1 problems</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::RejectionBar</name>
    <message>
        <source>Other reasons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rejected: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 rejected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens the manual</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::RunPanel</name>
    <message>
        <source>not stated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>interpolated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>∴ fitted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>∴ estimated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No run selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click a point, or a row of Runs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Iteration time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the prediction rests on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Assumed, since the row does not say:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open as a plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>quality %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, %1 chunks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Devices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Framework</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parallel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2, seq %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sharding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recompute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>predicted to fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>predicted not to fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it ran</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Defined as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>predicted by kind on stage %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>predicted by kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, above; measured, below</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Transfers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gradient sync</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Optimiser</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of the computing time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take back in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave out</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::RunRows</name>
    <message>
        <source>%1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weight gradient</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>send</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>receive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gradient sync</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>optimizer step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>imbalance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted × %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Difference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step, median</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step, fastest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step, slowest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>busy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in flight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>peak memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 GiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of a step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slower than predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>. No times of these GPUs: the prediction is multiplied by %1, what all passes took over what is predicted for them; only how stages differ can be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> %1 of the slots was real work, %2 of %3 passes took longer than theirs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> Times say more of the machine that acted it out than of the plan: run it again with more --slack.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: step %2 counts, of %3 numbered from 0; loss %4 to %5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: steps %2 count, of %3 numbered from 0; loss %4 to %5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>predicted / measured − 1: below 0 where it took longer than predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>predicted less measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its time over that of the run shown, less one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its error</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::RunRowsModel</name>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::RunTableModel</name>
    <message>
        <source>Unsupported, %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error, %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>wrong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left out by you</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not scored: of quality %1, or in contradiction with another row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Assumed: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>predicted / measured − 1; sorted by its size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensor, pipeline and data parallel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A complete, B with one thing inferred, C a sanity check that is not scored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tp, pp, dp</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quality</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 GPUs: %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::RunText</name>
    <message>
        <source>not drawn in the run, %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2, rank %3, step %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; no predicted time to hold it against</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; predicted %2; %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; predicted %2, at this run&apos;s pace %3; %4</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::RunsView</name>
    <message>
        <source>Runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Words that appear in the row, reasons of refused ones included</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2%3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, largest error first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>0 of %1 shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No run matches “%1”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a source, or load runs of your own.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::SampleCard</name>
    <message>
        <source>%1 GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured profiles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>∴ estimates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 GPUs: %2. %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 GPUs: %2; %3, %4</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::ScatterPlot</name>
    <message>
        <source>Predicted against measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured iteration time, logarithmic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured peak memory, logarithmic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted iteration time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted peak memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 points, %2 chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: predicted %2, measured %3, %4</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::ScatterView</name>
    <message>
        <source>dashed: predicted = measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted against measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one point is one run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quantity compared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Iteration time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all points (Home)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all points</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No runs yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Points appear as the sources are done.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sources lists the published runs, and loads a table of your own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>within 10 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>within 10 %: %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>within 25 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>within 25 %: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::Screenshots</name>
    <message>
        <source>The folder %1 cannot be made.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what the whole department agreed upon before the summer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Both halls, every card, and the slow link between them used for gradients only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Double the batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove links</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was not written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--views: no picture is called %1 here.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::SearchAgain</name>
    <message>
        <source>%1 %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 links %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2, which a project does not hold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This run is %1: it says nothing about the GPUs, so nothing is calibrated by it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file does not hold the plan that ran, by which its passes are priced.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The project asks another question than the one whose plan ran.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A search runs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calibrating by %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was calibrated: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calibrate by %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The calibrated cluster was refused.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calibrated (%1); searching.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calibrated (%1); the search did not start.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calibrated (%1); the search failed: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calibrated (%1); no plan was found that fits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ran</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calibrated (%1): the plan that ran is still the best found, predicted %2; it ran in %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calibrated (%1): plan %2 is predicted %3, %4 less than the %5 now predicted for the plan that ran, which ran in %6.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With these factors the run itself is predicted further off than before: %1 in place of %2. What remains, above all: %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With these factors the run itself is predicted further off than before: %1 in place of %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not calibrated yet (%1). %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::SearchPanel</name>
    <message>
        <source>Search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convergence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>iteration time by stage candidates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run  F5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Follow the best</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selects each new best plan while the search runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search progress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Best</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lower bound</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Best plans so far</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enabled when the problem is gone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enabled when all %1 problems are gone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>over the Space</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>proven optimal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not proven optimal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Proven for: %1 (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 plan evaluated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 plans evaluated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 rejected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plans, and parts that no plan was made of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cache hits %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stale.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, stale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>any shape of plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; %2 is faster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of this search. Of all plans known %1 is the fastest: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of this search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave %1 out and search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave out %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What it speaks of is said when the search has ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No bound is known yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Proven for: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no bound, since no plan fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no bound, since no plan was found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No bound is known for the plans that %1 can run: nothing is proven of all of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No bound is known that speaks of plans like the best one found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The search has proven no bound</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How much longer the best plan takes than the lower bound</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The figures below are of an earlier state.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The figures below are of other plans than are asked for.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of an earlier state.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was another state.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 to fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of another question.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It asked for others.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt; 0.1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no more can be gained</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::SearchRunner</name>
    <message>
        <source>searched</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Searching</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing searched yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Optimal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Feasible</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Infeasible</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped early</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Work limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bound reached</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>planner finished, gap left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no plan fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped by you at %1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ended after %1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 stage candidates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No such plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 stage candidates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not searched since it was opened</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::SensitivityView</name>
    <message>
        <source>Try it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sensitivity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What changes while all else stays</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Times by value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Iteration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bandwidth of all links</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bandwidth of link %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sequences of a micro-batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Boundary behind stage %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tp of stage %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>block %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a plan to see what its time rests on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>evaluating</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, does not fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Boundary behind chunk %1 of stage %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Latency of all links</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Latency of link %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the plan stays as it is, ∴ predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the plan stays as it is, predicted</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::ShortcutEditor</name>
    <message>
        <source>Keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find a command or a key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Commands and their keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clashes with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was not written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>everywhere</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Several keys are parted by “; ”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 commands share a key with another one.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::SizeDialog</name>
    <message>
        <source>Blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Transformer blocks, each attention and feed-forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hidden size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of the activations between blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention heads of the queries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key and value heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As many as heads, or fewer: grouped-query attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Head width</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Usually the hidden size by the heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Feed-forward size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inner width of the MLP of a dense block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows of the embedding, padding included</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Positions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The longest sequence that it was made for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learned positions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows of a learned position table; 0: rotary or none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Routed experts of a block; 0: none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Experts a token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Routed experts that a token is sent to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expert size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inner width of a routed expert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shared experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Experts that every token goes through; 0: none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shared expert size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inner width of a shared expert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gated feed-forward (SwiGLU)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norms without a bias (RMSNorm)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Head tied to the embedding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bias on queries, keys and values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bias on the attention&apos;s output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bias on the feed-forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model, size by size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the project calls it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take this model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A whole number from 0 is expected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>entered size by size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::SlicePlot</name>
    <message>
        <source>Time over the values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 values, %2 to %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::SlurmFields</name>
    <message>
        <source>Partition</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As sbatch has it; empty: Slurm&apos;s default</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Account</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Limit of each chunk, as sbatch has it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At a time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chunks that run at a time; empty: no limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Further</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Further words for sbatch, with blanks between</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Through</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Words before every command of Slurm, where it is on another machine that has this folder, too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pipewright-cli as the nodes see it; empty: the one of this window</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::SourceModel</name>
    <message>
        <source>%1 timed collectives</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kinds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In store</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::SourcePane</name>
    <message>
        <source>Text of the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, its beginning</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::SourceTableModel</name>
    <message>
        <source>Ran: %1 predicted to fit, %2 not. Failed for want of memory: %3 predicted to fit, %4 not.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 groups of equal model, GPUs, batch and sequence length. What is predicted fastest costs %2 more than the fastest, in the median.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 runs, 90 % within %2, bias %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 rows, %2 of quality A and B, %3 predicted, %4 with a time%5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows of quality A and B; others are predicted and not scored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Median of the size of the errors of iteration time, predicted / measured − 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Median and 90th percentile, to 40 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nine of ten errors are smaller</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Median of the signed errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kendall&apos;s tau: 1 where runs of equal model, GPUs and batch come in the right order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Median of the size of the errors of peak memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs for which it was right whether they fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows of quality A and B that are not predicted; Runs lists them with the reason</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Median</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>P90</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bias</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Order τ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refused</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::SourcesView</name>
    <message>
        <source>Sources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the chosen table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forgets the chosen table of your own runs; its file stays</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load runs...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 runs predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped, %1 tables not predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop predicting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on predicting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicting published runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No measured runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each is predicted as the plan that it was.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load measured runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load training logs, or a table in the 46-column form that validate reads.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>each by itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its arguments are those of %1: the machines stand in the order of its ranks.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::SpokenChanges</name>
    <message>
        <source>The search runs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 does not fit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2 an iteration.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2 an iteration, %3 shorter than %4.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2 an iteration, %3 longer than %4.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2 an iteration, as long as %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The search did not run. %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan. %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search: %1. No plan.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search: %1. Best: %2, %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 At most %2 could be gained.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 does not fit: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 takes %2 less than %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 takes %2 longer than %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 takes as long as %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Done: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Done: %1. New: %2.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::StageEdits</name>
    <message>
        <source>Move boundary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move devices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reorder stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set tp of stage %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set dp of stage %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set recompute of stage %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set micro-batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set schedule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split stage %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Merge stages %1 and %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Swap %1 for %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>micro-batches of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tp of stage %1 from %2 to %3</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::StageHeader</name>
    <message>
        <source>Stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forward + backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>∴ Peak memory, GiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::StageLegend</name>
    <message>
        <source>Stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stage %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::StageMap</name>
    <message>
        <source>Make one by hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan can be made by hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a plan to see who computes what.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mean %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>launch %1, mean %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refused.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What if %1 fails</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stale, mean %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::StageRows</name>
    <message>
        <source>Stage map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>boundary between stage %1 and %2, %3 and %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n stages</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1, locked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Boundary between stage %1 and %2: drag it, Alt for half blocks; Left and Right move it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; needs %1 on %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; holds %1 on %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; decides the time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; stages %1 decide the time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage %1 on %2, %3, %4: %5, forward %6 ms, backward %7 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; locked: Improve leaves it as it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>stage %1, %2, %n devices, %3 a micro-batch</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1, marked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: drag it to another stage, or Ctrl+Up and Ctrl+Down; Ctrl and a click or Space take several</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is locked: Improve leaves it as it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not locked any more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of stage %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::StageTools</name>
    <message>
        <source>A click on a row chooses the stage that these fields change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tp</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensor-parallel size of the chosen stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dp</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replicas of the chosen stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>recompute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recompute of the chosen stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>micro-batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage %1:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage –:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>first %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one, two or three more, by how slow the link is, as published</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as many more as hide each transfer whole</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as many more as keep stages busy, as far as memory holds them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All forwards, then all backwards; holds every micro-batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One forward, one backward in turns; the first stage holds most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Several chunks of the model a stage, so that the pipeline fills sooner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1F1B that launches nearly twice as many forwards first, to hide transfers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1F1B that launches more forwards before a slow link: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Divides the backward pass: weight gradients fill gaps, activations as 1F1B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Divides the backward pass, in an order that is searched, memory as 1F1B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Divides the backward pass, in an order that is searched, with twice the memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Divides the backward pass; two chunks a stage, the second runs back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>recompute first %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no recompute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 recompute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Schedule: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sequences of a micro-batch over all replicas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 seq</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 seqs</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::StartPage</name>
    <message>
        <source>Drop a file here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a project, model, cluster, measurements, a plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nodes, GPUs and links</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>layers and training settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Profiles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured times, or estimates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>F5, plans appear as found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inspect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>schedule, memory, idle times</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>arguments for your trainer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pipewright</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plans for training on mixed GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An empty drawing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Machines, models, measurements, plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted against measured runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear the list of recent projects</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start from a sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each opens complete: press F5 for a first plan.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From a cluster to a plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Projects that you open appear here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No samples are installed beside the program.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open &amp;folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Remove from the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start from a drawing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each opens as a new project: choose a model, then press F5.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Or by its sizes:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Published cases</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What papers state, predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A .pwx project, or a file to import</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::StatusLine</name>
    <message>
        <source>Nothing selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 items</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Errors are predicted / measured − 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No project open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 blocks, %3 layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>∴ all estimated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Modified</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search fields not saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Found plans or answers not saved</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::SweepFrontPlot</name>
    <message>
        <source>Pareto plot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2 %3, %4 %5</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::SweepFrontView</name>
    <message>
        <source>Level axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Upright axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What counts beside them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trade-offs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tasks that no other beats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>beside</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 that no other beats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plans yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plans that no other beats stand here once tasks have some.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; %2 plans lack a figure</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::SweepPanel</name>
    <message>
        <source>Run here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Works off what is open on this machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ends it; results stay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Submit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Submits what is open to Slurm, as job arrays</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancels what is queued on Slurm; results stay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Works off what is open on this machine, the failed tasks too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open its plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tasks with a result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Processes at a time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Processes at a time, each with one core</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Failed tasks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 tasks have a result, %3 of them no plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Results are damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More results are being read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Some %1 of one core are left.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>begun %1 times without a result, and nothing was printed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Task %1: %2
%3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Task %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPUs a stage: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop opening</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run ended.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not submitted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not cancelled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Done.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Options</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows what is told to Slurm: partition, time, how it is reached</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slurm is not on this machine (no sbatch). Say under Options how it is reached, or submit the same folder on its login node: pipewright-cli sweep run DIR --on slurm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs here, processes: %1; some %2 are left.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 begun, %2 failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder is gone.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::SweepProgram</name>
    <message>
        <source>Stopped; what was done is kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to submit: all open chunks wait or run already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Submitted as job %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was queued.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelled job %1.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::SweepResultsView</name>
    <message>
        <source>Results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 tasks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 task</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::SweepStudy</name>
    <message>
        <source>%1 was not opened.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The results were not read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The plan was not opened.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::SweepTableModel</name>
    <message>
        <source>Task</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Result</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::TimeBars</name>
    <message>
        <source>Predicted time by kind, and measured time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Transfer not hidden</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2, %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::TimeRuler</name>
    <message>
        <source>Time ruler</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click sets a mark, a drag moves the axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2; double click names it, Del removes it</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::TimelineLabels</name>
    <message>
        <source>Timeline rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n rows</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Row %1, %2 busy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage %1: %2, %3, %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unpin the row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pin the row on top</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide the row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Row height that fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows as the plan has them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; %2: %3 busy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, rank %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::TimelineMarks</name>
    <message>
        <source>Mark %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove mark %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name mark %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::TimelineRows</name>
    <message>
        <source>stage %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::TimelineTracks</name>
    <message>
        <source>Timeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 visible</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 bars, %2 busy; %3 in all, the longest %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>predicted: %1; %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 on stage %2
%3</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::TimelineView</name>
    <message>
        <source>Filter rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Words of a stage, device or kind, such as “V100”</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n rows hidden</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a plan to see its timeline.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name the mark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted bars or what ran</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted and %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, step %2: %3%4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; drawn at the pace of the prediction: only the shape can be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::TopologyCanvas</name>
    <message>
        <source>Topology canvas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Node of 4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One node with four GPUs of the chosen kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Node of 8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One node with eight GPUs of the chosen kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes, how many…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asks for the kind, the GPUs of a node and the number of nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rail-optimised, 4 nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Two sites</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Two fabrics of four nodes, joined at 100 Gbit/s and 2 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>node %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stage %1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, pipeline %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>switch %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag to move the sheet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>node %1, %2 × %3, %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>switch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>switch %1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paste</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Align</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distribute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ungroup</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unlock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add %1 nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add switch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Link %1 and %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change kind of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pipeline %1: </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 each</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 items</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 links</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 cannot be linked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Link tool: click the first end, or choose it with Tab and press Enter; Esc leaves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Link tool: click the second end, or Tab and Enter; Esc leaves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Link %1 items and %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One kind, 8 nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Eight nodes of eight under one switch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Two kinds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Four nodes of the chosen kind and four of an older one, a switch each</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Racks, leaf and spine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tidy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Four racks of two nodes with a leaf switch each, and two spine switches; with Shift it asks how many</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add %1 racks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share an NVLink domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave the NVLink domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NVL72 rack</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>18 nodes of four in one NVLink domain, under a switch; of GB200 where the chosen kind has no NVLink switch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NVLink domain %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>node %1, %2 × %3, %4, in NVLink domain %5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NVLink domain %1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What if %1 fails</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>middle of the view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose one node or switch to rename it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click where it goes, or press Enter for the middle of the view; Esc leaves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move link from %1 to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 to %2
Bandwidth: %3 each way
Latency: %4
Efficiency: %5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; usually %2 of the line rate is reached</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, as its switch %2; usually %3 of the line rate is reached</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, as there is no switch; usually %2 of the line rate is reached</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The stages of the plan are hidden: show them first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>link %1 to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>link %1 to %2, %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Group %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ethernet (TCP)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the plan in view without this node, all else as it is. Plans that are made anew: How sure, and what if in Answers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use %1 again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>left out of plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave out %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave out %1 only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is chosen: arrows move the view. Tab chooses the next item, which they then move.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Four nodes of eight and eight rails: a switch for the first GPUs of all nodes, one for the second, and so on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 switches and links</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in no stage of the plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stage %1 of the plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stages %1 of the plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its busiest link %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>error: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>warning: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 link to a node: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 links to nodes: %2 together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 link to a switch: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 links to switches: %2 together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 : 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Non-blocking: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Oversubscribed %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Oversubscribed %1 to %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::TopologyView</name>
    <message>
        <source>Topology</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw the cluster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag a node here, choose a template, or import an inventory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add nodes…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Align, distribute, group and lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Snap to the grid (Alt ignores it)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the grid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the stages of the current plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stale.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The stages shown are of %1, made before the last edits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw %1 GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is chosen: click a node, a switch, a link or a note first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 Click where it goes; %2 puts it down at the pointer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A group is made of two nodes or switches at least: choose them first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing that is chosen is in a group.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not of this project.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No link is chosen: click one first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Neither a node is chosen nor a switch or a link: click one first.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::Tour</name>
    <message>
        <source>The machines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes with their GPUs, switches and links: what plans are made for. N adds nodes, L draws links; the next search goes by what is drawn.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looks for the fastest plan in the background and says how far from the best it can be at most. The following steps show what it finds.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who holds what</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A row for each stage of the pipeline: its devices, its blocks, the time of its passes and its memory. Drag a boundary, and every view follows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where it waits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every pass of every device over an iteration. Under the mouse, a gap says what it waits for.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Taking it along</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was found, best first, and the trainers that run it. Export writes their files; the runner&apos;s folder runs any plan.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Leave</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tour, %1: %2. %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 It is empty until a plan is found: the search finds one.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::TournamentModel</name>
    <message>
        <source>Optimal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Feasible</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Work limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Infeasible</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Searching</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>best</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This plan lies outside the space that bounds are proven for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, no plan: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Planner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sorts as they ran</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Standing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether the planner is a published one, a reconstruction, or this program&apos;s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What ended the search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How long it searched</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Candidates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Candidates for a stage that were priced, its work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Judged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plans that were simulated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Costs of single operators that were worked out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cache hits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of all costs asked for, those that were known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Iteration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Simulated time of one optimiser step of its best plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Behind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How much longer than the fastest of this table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How much longer than the highest lower bound that any of them proved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The fullest GPU of its best plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of its best plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPUs a stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of its best plan; a bar where the kind changes</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::TournamentView</name>
    <message>
        <source>Planners</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Planners that the next comparison also runs without one of their parts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without... %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose parts to run without</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose parts to run without, %1 chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare all planners</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress of the comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop comparing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stale.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This comparison answers an earlier state of the project.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not compared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No planners compared yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A cluster and a model are needed first; Problems lists what is missing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every planner searches this problem with its own budget. Costs and judge are the same for all.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare all planners  F6</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2: %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 found a plan, bound %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 found a plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Best plan of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search asks for other plans by now.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::TrainerBox</name>
    <message>
        <source>any or no trainer</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::TrainingForm</name>
    <message>
        <source>Global batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sequence length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reserve a GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Micro-batches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sequences a replica, for instance 1, 2, 4; auto leaves them to the search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sequence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recompute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sharding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seq. parallel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reserve</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change global batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change sequence length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change reserve</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change optimizer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change sharding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change recompute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change sequence parallelism</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whole numbers from 1, or auto</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change micro-batches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chance to fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expert load</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How sure plans are to fit into memory; 50 % takes memory as it is predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Software</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The trainer&apos;s generation: kernels, overlaps and habits that times rest on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens of the busiest expert-parallel rank over the mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change chance to fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change expert load</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change software</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>usual</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::ValueField</name>
    <message>
        <source>%1 bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A whole number is expected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A number is expected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 each way</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 to %2 is allowed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 to %1 lanes are allowed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>about %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 values: %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::View</name>
    <message>
        <source>No plans yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plans appear here as the search finds them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run  F5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear brush</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No sweep is open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A sweep asks one question for many clusters, numbers of nodes, batches or scenarios.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a sweep...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New sweep...</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::WhatIf</name>
    <message>
        <source>%1, edited</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, edited %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan is selected.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Revert %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Do without %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan is in view: run a search first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only a plan of one pipeline can do without a node.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 does not use this node.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pw::preview</name>
    <message>
        <source>unknown, asked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goes into your store of measurements, all rows or none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>any</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 over %2 ranks: alpha %3, beta %4 on the bus</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>out of place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A part of a plan for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A plan of %1 for %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>global batch %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 tokens a sequence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 micro-batches of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model and training settings become the project&apos;s; the plan stands among the plans where the drawing has room for it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as many as fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the next ones</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens the question that the plans answer as a new project, with the plans beside it; if it is the present project&apos;s, they join its plans.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows what ran beside its prediction, under Accuracy, where devices and links can be fitted to it. The project stays as it is; a log&apos;s model and plan come in by the kind Megatron-LM arguments.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>out of memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gives the chosen part of the drawing the bandwidth and the latency with which the fitted line is predicted: a line rate, of which the prediction takes its shares, so not the figures of the fit themselves.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
