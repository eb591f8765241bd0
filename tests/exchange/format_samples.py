"""Documented examples of each format, in the form in which other programs write them."""

# ruff: noqa: E501

from __future__ import annotations

CVAT = """<?xml version="1.0" encoding="utf-8"?>
<annotations>
  <version>1.1</version>
  <meta>
    <task>
      <id>7</id><name>kitchen</name><size>60</size><mode>interpolation</mode>
      <start_frame>0</start_frame><stop_frame>59</stop_frame><frame_filter></frame_filter>
      <labels><label><name>kettle</name><attributes></attributes></label></labels>
      <original_size><width>640</width><height>360</height></original_size>
      <source>clip.mp4</source>
    </task>
    <dumped>2026-11-20 10:00:00</dumped>
  </meta>
  <track id="0" label="kettle" source="manual">
    <box frame="0" outside="0" occluded="0" keyframe="1" xtl="128.00" ytl="144.00" xbr="384.00" ybr="332.00" z_order="0"><attribute name="masked">false</attribute></box>
    <box frame="10" outside="0" occluded="1" keyframe="1" xtl="138.00" ytl="144.00" xbr="394.00" ybr="332.00" z_order="0"><attribute name="masked">true</attribute></box>
    <box frame="20" outside="0" occluded="0" keyframe="0" xtl="1.00" ytl="1.00" xbr="2.00" ybr="2.00" z_order="0"></box>
    <box frame="31" outside="1" occluded="0" keyframe="1" xtl="192.00" ytl="144.00" xbr="448.00" ybr="332.00" z_order="0"/>
  </track>
  <track id="1" label="mug_point" source="manual"><points frame="20" outside="0" occluded="0" keyframe="1" points="332.00,132.50" z_order="0"/><points frame="24" outside="0" occluded="0" keyframe="1" points="340.00,136.50" z_order="0"/></track>
</annotations>
"""
MOT = "1,3,100.5,50,40,30,1,1,1\n2,3,102.5,50,40,30,1,1,0.2\n4,3,110,50,40,30,1,1,1\n1,5,10,10,5,5,1,2,1\n3,5,10,10,5,5,0,2,1\n"
COCO = """{"info": {}, "videos": [{"id": 1, "name": "clip.mp4", "width": 640, "height": 360}],
"categories": [{"id": 3, "name": "kettle"}],
"images": [{"id": 11, "video_id": 1, "file_name": "a.jpg", "frame_index": 0},
 {"id": 12, "video_id": 1, "file_name": "b.jpg", "frame_index": 1}],
"tracks": [{"id": 5, "category_id": 3, "video_id": 1}],
"annotations": [
 {"id": 1, "image_id": 11, "video_id": 1, "track_id": 5, "category_id": 3, "bbox": [10, 20, 30, 40], "area": 1200, "iscrowd": 0},
 {"id": 2, "image_id": 12, "video_id": 1, "track_id": 5, "category_id": 3, "bbox": [11.5, 20, 30, 40], "area": 1200, "iscrowd": 0}]}
"""
ACTIVITYNET = """{"version": "1.3", "taxonomy": [], "database": {"clip": {"subset": "training",
 "duration": 2.0, "fps": 30.0, "annotations": [
 {"segment": [0.5, 1.0], "segment(frames)": [15, 30], "label": "pouring", "label_id": 0}]}}}
"""
RESULTS = """{"version": "1.3", "results": {"clip": [{"label": "pouring", "score": 0.7, "segment": [0.5, 1.0]}]},
 "external_data": {}}
"""
LABEL_STUDIO = """[{"id": 1, "data": {"video": "/data/upload/1/0a1b2c3d-clip.mp4"}, "annotations": [{"result": [
 {"id": "tr0", "type": "videorectangle", "from_name": "box", "to_name": "video", "origin": "manual",
  "value": {"framesCount": 60, "duration": 2.0, "labels": ["kettle"], "sequence": [
   {"frame": 1, "enabled": true, "rotation": 0, "x": 10.0, "y": 20.0, "width": 20.0, "height": 40.0, "time": 0.033},
   {"frame": 31, "enabled": false, "rotation": 0, "x": 15.0, "y": 20.0, "width": 20.0, "height": 40.0, "time": 1.03}]}},
 {"id": "ac0", "type": "timelinelabels", "from_name": "actions", "to_name": "video", "origin": "manual",
  "value": {"ranges": [{"start": 31, "end": 46}], "timelinelabels": ["pouring"]}}]}]}]
"""
ELAN = """<?xml version="1.0" encoding="UTF-8"?>
<ANNOTATION_DOCUMENT AUTHOR="" DATE="2026-11-20T10:00:00+01:00" FORMAT="3.0" VERSION="3.0" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="http://www.mpi.nl/tools/elan/EAFv3.0.xsd">
    <HEADER MEDIA_FILE="" TIME_UNITS="milliseconds">
        <MEDIA_DESCRIPTOR MEDIA_URL="file:///data/clip.mp4" MIME_TYPE="video/mp4" RELATIVE_MEDIA_URL="./clip.mp4"/>
    </HEADER>
    <TIME_ORDER>
        <TIME_SLOT TIME_SLOT_ID="ts1" TIME_VALUE="500"/>
        <TIME_SLOT TIME_SLOT_ID="ts2" TIME_VALUE="1000"/>
        <TIME_SLOT TIME_SLOT_ID="ts3"/>
    </TIME_ORDER>
    <TIER LINGUISTIC_TYPE_REF="default-lt" TIER_ID="hands">
        <ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a1" TIME_SLOT_REF1="ts1" TIME_SLOT_REF2="ts2"><ANNOTATION_VALUE>pouring &amp; stirring</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>
        <ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a2" TIME_SLOT_REF1="ts2" TIME_SLOT_REF2="ts3"><ANNOTATION_VALUE>open</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>
    </TIER>
    <TIER LINGUISTIC_TYPE_REF="default-lt" TIER_ID="Sounds">
        <ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a3" TIME_SLOT_REF1="ts1" TIME_SLOT_REF2="ts2"><ANNOTATION_VALUE>water</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>
    </TIER>
    <LINGUISTIC_TYPE GRAPHIC_REFERENCES="false" LINGUISTIC_TYPE_ID="default-lt" TIME_ALIGNABLE="true"/>
</ANNOTATION_DOCUMENT>
"""
ELAN_DEPENDENT = """<?xml version="1.0" encoding="UTF-8"?>
<ANNOTATION_DOCUMENT AUTHOR="" DATE="2026-11-20T10:00:00+01:00" FORMAT="3.0" VERSION="3.0">
    <HEADER MEDIA_FILE="" TIME_UNITS="milliseconds"/>
    <TIME_ORDER>
        <TIME_SLOT TIME_SLOT_ID="ts1" TIME_VALUE="0"/>
        <TIME_SLOT TIME_SLOT_ID="ts2" TIME_VALUE="2000"/>
        <TIME_SLOT TIME_SLOT_ID="ts3"/>
        <TIME_SLOT TIME_SLOT_ID="ts4"/>
        <TIME_SLOT TIME_SLOT_ID="ts5" TIME_VALUE="3500"/>
        <TIME_SLOT TIME_SLOT_ID="ts6"/>
    </TIME_ORDER>
    <TIER PARENT_REF="signs" TIER_ID="glosses">
        <ANNOTATION><REF_ANNOTATION ANNOTATION_ID="a2" ANNOTATION_REF="a1"><ANNOTATION_VALUE>GIVE</ANNOTATION_VALUE></REF_ANNOTATION></ANNOTATION>
        <ANNOTATION><REF_ANNOTATION ANNOTATION_ID="a3" ANNOTATION_REF="a1" PREVIOUS_ANNOTATION="a2"><ANNOTATION_VALUE>ME</ANNOTATION_VALUE></REF_ANNOTATION></ANNOTATION>
    </TIER>
    <TIER TIER_ID="signs">
        <ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a1" TIME_SLOT_REF1="ts1" TIME_SLOT_REF2="ts2"><ANNOTATION_VALUE/></ALIGNABLE_ANNOTATION></ANNOTATION>
    </TIER>
    <TIER TIER_ID="words">
        <ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a4" TIME_SLOT_REF1="ts2" TIME_SLOT_REF2="ts3"><ANNOTATION_VALUE>one</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>
        <ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a5" TIME_SLOT_REF1="ts3" TIME_SLOT_REF2="ts4"><ANNOTATION_VALUE>two</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>
        <ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a6" TIME_SLOT_REF1="ts4" TIME_SLOT_REF2="ts5"><ANNOTATION_VALUE>three</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>
    </TIER>
    <TIER PARENT_REF="glosses" TIER_ID="comments">
        <ANNOTATION><REF_ANNOTATION ANNOTATION_ID="a7" ANNOTATION_REF="a3"><ANNOTATION_VALUE>unsure</ANNOTATION_VALUE></REF_ANNOTATION></ANNOTATION>
        <ANNOTATION><REF_ANNOTATION ANNOTATION_ID="a8" ANNOTATION_REF="a8"><ANNOTATION_VALUE>circle</ANNOTATION_VALUE></REF_ANNOTATION></ANNOTATION>
        <ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a9" TIME_SLOT_REF1="ts5" TIME_SLOT_REF2="ts6"><ANNOTATION_VALUE>open</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>
    </TIER>
</ANNOTATION_DOCUMENT>
"""
VTT = """WEBVTT - made by hand
Kind: captions

NOTE nothing

STYLE
::cue { color: white }

action-1
00:00.500 --> 00:01.000 align:start
<v Ann>pouring &amp; stirring

00:00:01.250 --> 00:00:01.500
two
lines
"""
SRT = "1\r\n00:00:00,500 --> 00:00:01,000\r\n<i>water</i>\r\n\r\n2\r\n00:00:01,250 --> 00:00:01,500\r\ntwo\r\nlines\r\n"
AUDACITY = "0.500000\t1.000000\twater\n\\\t200.000000\t4000.000000\n1.250000\t1.250000\tclick\n"
DESED = "filename\tonset\toffset\tevent_label\nclip.wav\t0.500\t1.000\tDishes\nquiet.wav\t\t\t\n"
STRONG = "segment_id\tstart_time_seconds\tend_time_seconds\tlabel\n-cl_ip_0\t0.500\t1.000\t/m/07qcx4z\n-cl_ip_30000\t0.500\t1.000\tWater\n"
RTTM = "SPEAKER clip 1 0.500 0.500 <NA> <NA> running_water <NA> <NA>\nSPEAKER clip 1 1.000 0.250 <NA> <NA> bell 0.8 <NA>\n"
VIAME = """# 1: Detection or Track-id,2: Video or Image Identifier,3: Unique Frame Identifier
# metadata,fps: 30
1,00:00:00.066667,2,14,20,54,80,1.0,-1,pot,0.2,kettle,0.8,(atr) occluded true,(atr) full yes,(trk-atr) material steel
1,00:00:00.100000,3,16,20,56,80,0.5,-1,kettle,1.0
"""
DIVE = """{"version":2,"fps":30,"tracks":{"1":{"id":1,"meta":{},"attributes":{"material":"steel"},"confidencePairs":[["pot",0.2],["kettle",0.9]],"begin":0,"end":6,
  "features":[{"frame":0,"bounds":[10,20,50,80],"keyframe":true,"interpolate":true},{"frame":2,"bounds":[14,20,54,80],"keyframe":true,"attributes":{"occluded":true}},
   {"frame":6,"bounds":[20,20,60,80],"keyframe":true}]}},
 "groups":{"1":{"id":1,"meta":{},"attributes":{},"confidencePairs":[["lift",1.0]],"begin":0,"end":2,"members":{"1":{"ranges":[[0,2]]}}}}}
"""
TEXTGRID = """File type = "ooTextFile"
Object class = "TextGrid"

xmin = 0
xmax = 2
tiers? <exists>
size = 3
item []:
    item [1]:
        class = "IntervalTier"
        name = "hands"
        xmin = 0
        xmax = 2
        intervals: size = 3
        intervals [1]:
            xmin = 0
            xmax = 0.5
            text = ""
        intervals [2]:
            xmin = 0.5
            xmax = 1
            text = "pour ""hot"" tea"
        intervals [3]:
            xmin = 1
            xmax = 2
            text = ""
    item [2]:
        class = "TextTier"
        name = "beats"
        xmin = 0
        xmax = 2
        points: size = 1
        points [1]:
            number = 0.7
            mark = "x"
    item [3]:
        class = "IntervalTier"
        name = "sounds"
        xmin = 0
        xmax = 2
        intervals: size = 1
        intervals [1]:
            xmin = 0.25
            xmax = 0.75
            text = "bell"
"""
TEXTGRID_SHORT = """File type = "ooTextFile"
Object class = "TextGrid"

0
2
<exists>
1
"IntervalTier"
"hands"
0
2
1
0.5
1
"pour"
"""
BORIS = """{"project_format_version":"7.0","time_format":"hh:mm:ss","subjects_conf":{},"behaviors_conf":{
 "0":{"type":"State event","key":"h","code":"hitting","category":"sounds","modifiers":{},"excluded":"","coding map":""},
 "1":{"type":"Point event","key":"p","code":"blink","category":"","modifiers":{},"excluded":"","coding map":""},
 "2":{"type":"State event","key":"l","code":"lift","category":"","modifiers":{},"excluded":"","coding map":""}},
 "observations":{"obs1":{"type":"MEDIA","file":{"1":["/data/clip.mp4","/data/other.mp4"]},"time offset":0.0,
  "media_info":{"length":{"/data/clip.mp4":2.0,"/data/other.mp4":3.0},"fps":{"/data/clip.mp4":30.0}},
  "events":[[0.5,"","hitting","",""],[0.6,"Ann","lift","cup|red",""],[0.7,"","blink","",""],[1.0,"","hitting","",""],
   [1.5,"Ann","lift","cup|red",""],[2.5,"","lift","",""],[3.0,"","lift","",""],[4.0,"","lift","",""]]}}}
"""
BORIS_TABLE = """Observation id,Source,Subject,Behavior,Behavioral category,Modifier #1,Behavior type,Start (s),Stop (s),Media file name
obs1,player #1:clip.mp4,No focal subject,pouring,,,STATE,0.500,1.000,clip.mp4
obs1,player #1:clip.mp4,Ann,blink,,,POINT,1.100,1.100,clip.mp4
"""
EPIC = """narration_id,participant_id,video_id,narration_timestamp,start_timestamp,stop_timestamp,start_frame,stop_frame,narration,verb,verb_class,noun,noun_class,all_nouns,all_noun_classes
P01_101_0,P01,clip,00:00:02.100,00:00:00.50,00:01:04.00,125,200,pour the tea,pour,9,tea,74,"['tea', 'mug']","[74, 13]"
"""
DLC = """scorer,own,own,own,own
bodyparts,handle,handle,rim,rim
coords,x,y,x,y
labeled-data/clip/img0030.png,29.5,39.5,,
labeled-data/clip/img0031.png,30.5,39.5,1,2
"""
DLC_ANALYSIS = """scorer,net,net,net
bodyparts,handle,handle,handle
coords,x,y,likelihood
0,29.5,39.5,0.9
1,30.5,39.5,0.1
"""
YOUTUBE_VIS = """{"videos":[{"id":7,"width":320,"height":240,"length":2,"file_names":["video_1/00000.jpg","video_1/00005.jpg","video_1/00010.jpg"]}],
 "categories":[{"id":1,"name":"cup"}],
 "annotations":[{"id":1,"video_id":7,"category_id":1,"iscrowd":0,"segmentations":[null,{"size":[240,320],"counts":[24060,40,200,40,52460]},
  [[100,60,102,60,102,100.5]]],"bboxes":[null,[100,60,2,40],null],"areas":[null,80,null]}]}"""
BURST = """{"split":"val","categories":[{"id":1,"name":"mug","synset":"mug.n.04","def":"","synonyms":["mug"]}],
 "sequences":[{"id":1,"seq_name":"v1","dataset":"Own","fps":30,"width":8,"height":6,"all_image_paths":["0.jpg","1.jpg","2.jpg"],
 "annotated_image_paths":["1.jpg","2.jpg"],"neg_category_ids":[],"not_exhaustive_category_ids":[],"track_category_ids":{"4":1},
 "segmentations":[{"4":{"rle":"d033000:","is_gt":true}},{"4":{"rle":"d033000:","is_gt":false,"score":0.5}}]}]}"""
KWCOCO = """{"info":[],"videos":[{"id":1,"name":"video_900001","annotation_fps":30}],"images":[{"id":1,"file_name":"video_900001/000030.jpg","name":"v1f30",
 "video_id":1,"frame_index":30}],"categories":[{"id":1,"name":"mug"}],"tracks":[{"id":4,"name":"mug-4"}],"annotations":[
 {"id":1,"image_id":1,"category_id":1,"track_id":4,"bbox":[128,144,256,188],"occluded":true},
 {"id":2,"image_id":1,"category_id":null,"track_id":"b","bbox":[1,2,3,4]}]}"""
AVA = """video_1,0902,0.100,0.200,0.500,0.800,12,1
video_1,0902,0.100,0.200,0.500,0.800,80,1
video_1,0903,0.200,0.200,0.600,0.800,12,1
video_1,0906,0.200,0.200,0.600,0.800,12,1
video_1,0902,0.700,0.200,0.900,0.800,12,2
empty,0902
"""
AVA_LIST = (
    'item {\n  name: "stand"\n  id: 12\n}\nlabel {\n  name: "watch (a person)"\n  label_id: 80\n}\n'
)
THUMOS = "clip  0.5 1.0\nother 4.2  9.7\n"
